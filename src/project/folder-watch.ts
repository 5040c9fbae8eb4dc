/** Watches files and folders of a project with chokidar, which is loaded only when a project is watched. */
import { relative, sep } from 'node:path'

export interface FolderWatch {
  close(): void
}

/** Calls `onChange` for each change of a path in `dir`, relative to it, that `isWatched` accepts. */
export function watchFolder(
  dir: string,
  isWatched: (path: readonly string[]) => boolean,
  onChange: () => void,
): FolderWatch {
  let isClosed = false
  const started = import('chokidar').then(({ watch }) => {
    if (isClosed) return null
    const watcher = watch(dir, {
      persistent: false,
      ignoreInitial: true,
      ignored: (path) => path !== dir && !isWatched(relative(dir, path).split(sep)),
    })
    watcher.on('all', onChange).on('error', onChange).on('ready', onChange)
    return watcher
  })
  return {
    close() {
      isClosed = true
      void started.then((watcher) => watcher?.close())
    },
  }
}
