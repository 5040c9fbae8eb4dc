/** Watches files and folders of a project with chokidar, which is loaded only when a project is watched. */
import { relative, sep } from 'node:path'

export interface FolderWatch {
  /** Resolves when every later change will be noticed, or when the watch was closed before. */
  readonly ready: Promise<void>
  close(): void
}

/** Calls `onChange` for each change of a path in `dir`, relative to it, that `isWatched` accepts. */
export function watchFolder(
  dir: string,
  isWatched: (path: readonly string[]) => boolean,
  onChange: () => void,
): FolderWatch {
  let isClosed = false
  const ready = Promise.withResolvers<void>()
  const started = import('chokidar').then(({ watch }) => {
    if (isClosed) return null
    const watcher = watch(dir, {
      persistent: false,
      ignoreInitial: true,
      ignored: (path) => path !== dir && !isWatched(relative(dir, path).split(sep)),
    })
    watcher
      .on('all', onChange)
      .on('error', onChange)
      .on('ready', () => {
        onChange()
        ready.resolve()
      })
    return watcher
  })
  return {
    ready: ready.promise,
    close() {
      isClosed = true
      ready.resolve()
      void started.then((watcher) => watcher?.close())
    },
  }
}
