/**
 * Hears when something moves in folders: a file that is written, comes, goes or is replaced by another of its name, as
 * many editors save. Says nothing about what it was; `watch.ts` reads the files to find out.
 */
import { type FSWatcher, watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface FolderWatch {
  /** Watches what is there now, and no longer what has gone. False when something could not be watched. */
  renew(): Promise<boolean>
  close(): void
}

/** Which systems watch whole trees by themselves. Elsewhere Node would watch each file, and loses it when it is replaced. */
const WATCHES_TREES = process.platform === 'darwin' || process.platform === 'win32'

/** A folder, or a link inside one; what stands behind a link moves without its folder noticing. */
interface Place {
  readonly path: string
  /** What was deleted and made anew under the same name is another. */
  readonly identity: string
}

/** Watches folders from the first `renew` on, with all that is in them if they are `deep`, and calls `moved`. */
export function watchFolders(folders: readonly string[], deep: boolean, moved: () => void): FolderWatch {
  const watchers = new Map<string, { readonly identity: string; readonly watcher: FSWatcher }>()
  const walks = deep && !WATCHES_TREES
  let isClosed = false

  function open(path: string): FSWatcher | null {
    try {
      const watcher = watch(path, { recursive: deep && WATCHES_TREES, persistent: false }, moved)
      // A folder that goes away while it is watched is seen as a move; there is nothing else to do about it.
      return watcher.on('error', moved)
    } catch {
      // It has just gone, or the system does not let us watch as many.
      return null
    }
  }

  return {
    async renew() {
      let all = true
      const present = new Set<string>()
      const met = new Set<string>()
      for (const folder of folders) {
        // Each place is watched before what is in it is listed: what comes in between is heard.
        for await (const { path, identity } of placesIn(folder, walks, met)) {
          if (isClosed) return true
          present.add(path)
          const known = watchers.get(path)
          if (known?.identity === identity) continue
          const watcher = open(path)
          if (watcher) watchers.set(path, { identity, watcher })
          else all = false
          known?.watcher.close()
        }
      }
      for (const [path, { watcher }] of watchers) {
        if (present.has(path)) continue
        watcher.close()
        watchers.delete(path)
      }
      return all && watchers.size > 0
    },

    close() {
      isClosed = true
      for (const { watcher } of watchers.values()) watcher.close()
    },
  }
}

/** The place itself, if it is there, and the folders and links below it. `met` keeps links from leading in a circle. */
async function* placesIn(path: string, walks: boolean, met: Set<string>): AsyncGenerator<Place> {
  const found = await stat(path, { bigint: true }).catch(() => null)
  if (!found) return
  // A number alone is not enough: some file systems give it to the next folder at once.
  const identity = `${found.dev} ${found.ino} ${found.birthtimeNs}`
  if (met.has(identity)) return
  met.add(identity)
  yield { path, identity }
  if (!walks || !found.isDirectory()) return
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
    if (entry.isFile() || entry.name.startsWith('.') || entry.name === 'node_modules') continue
    yield* placesIn(join(path, entry.name), walks, met)
  }
}
