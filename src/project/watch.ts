/** Watches the schema files and the configuration of a project, to apply edits while the server runs. */
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { listFiles, readSchemas } from './files.ts'
import { type FolderWatch, watchFolder } from './folder-watch.ts'
import type { ProjectProblem } from './problems.ts'
import type { SchemaSource } from './source.ts'

/** Editors write a file in several steps, and users save several files together. */
const DEBOUNCE_MS = 80

/** A second read after each change, in case the system missed an event. */
const RECHECK_MS = 1_000

/** Calls `onChange` whenever schema files have changed, the first time if they differ from `known`. */
export function watchSchemas(
  folder: string,
  known: readonly SchemaSource[],
  onChange: () => void,
): FolderWatch {
  const dir = resolve(folder)
  mkdirSync(join(dir, 'src'), { recursive: true })
  return watchContent({
    dir,
    isWatched: ([first, ...rest]) =>
      first === 'src' && !rest.some((name) => name.startsWith('.') || name === 'node_modules'),
    read: async () => {
      const problems: ProjectProblem[] = []
      return { sources: await readSchemas(dir, problems), problems }
    },
    known: { sources: known, problems: [] },
    onChange,
  })
}

/** Calls `onChange` whenever a configuration file has changed. */
export function watchConfig(folder: string, onChange: () => void): FolderWatch {
  const dir = resolve(folder)
  return watchContent({
    dir,
    isWatched: ([first = '', ...rest]) =>
      rest.length === 0 ? first === 'config' || isConfigFile(first) : first === 'config' && rest.length === 1,
    read: async () => {
      // Problems are reported when the configuration is loaded again.
      const reader = { dir, problems: [] }
      const paths = [
        ...(await listFiles(dir, reader)).filter(isConfigFile).map((name) => join(dir, name)),
        ...(await listFiles(join(dir, 'config'), reader)).map((name) => join(dir, 'config', name)),
      ]
      return Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8').catch(() => null)]))
    },
    known: null,
    onChange,
  })
}

const isConfigFile = (name: string) => name.startsWith('octavo.config.')

interface WatchOptions {
  readonly dir: string
  /** Whether a path relative to `dir`, split into names, is watched. */
  readonly isWatched: (path: readonly string[]) => boolean
  readonly read: () => Promise<unknown>
  /** The content read before; null to start with the current content. */
  readonly known: unknown
  readonly onChange: () => void
}

/** Reads the content after each change, and calls `onChange` if it differs from what was read before. */
function watchContent({ dir, isWatched, read, known, onChange }: WatchOptions): FolderWatch {
  const timers = new Map<number, NodeJS.Timeout>()
  let previous = known === null ? null : JSON.stringify(known)
  let isStopped = false

  async function compare() {
    if (isStopped) return
    const text = JSON.stringify(await read())
    if (isStopped) return
    const hasChanged = previous !== null && previous !== text
    previous = text
    if (hasChanged) onChange()
  }

  const firstComparison = compare()
  let comparing = firstComparison
  function compareIn(delay: number) {
    clearTimeout(timers.get(delay))
    const timer = setTimeout(() => {
      comparing = comparing.then(compare, compare)
    }, delay)
    timers.set(delay, timer.unref())
  }

  const watch = watchFolder(dir, isWatched, () => {
    compareIn(DEBOUNCE_MS)
    compareIn(RECHECK_MS)
  })

  return {
    ready: Promise.allSettled([watch.ready, firstComparison]).then(() => {}),
    close() {
      isStopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      watch.close()
    },
  }
}
