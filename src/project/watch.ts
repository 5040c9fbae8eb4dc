/** Follows the files of a project folder, for a server that takes up edits while they are made. */
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { files, readSchemas } from './files.ts'
import { watchFolders } from './folder-watch.ts'
import type { ProjectProblem } from './problems.ts'
import type { SchemaSource } from './source.ts'

/** Editors write a file in several steps, and people save several files at once. */
const SETTLED = 80

/** Some moments after that, one more look: should the system not have told of something, it is not missed for long. */
const AGAIN = 1_000

/** What cannot be watched is looked at as often as this. */
const UNWATCHED = 2_000

export interface SchemaFiles {
  readonly sources: readonly SchemaSource[]
  readonly problems: readonly ProjectProblem[]
}

/**
 * Calls `changed` with all schemas each time that their files have changed, the first time if they are not `known` any
 * more. Answers with what stops it.
 */
export function watchSchemas(
  folder: string,
  known: readonly SchemaSource[],
  changed: (files: SchemaFiles) => void,
): () => void {
  const dir = resolve(folder)
  const source = join(dir, 'src')
  mkdirSync(source, { recursive: true })
  const read = async (): Promise<SchemaFiles> => {
    const problems: ProjectProblem[] = []
    return { sources: await readSchemas(dir, problems), problems }
  }
  return follow({ folders: [source], deep: true, read, known: { sources: known, problems: [] }, changed })
}

/** Calls `changed` each time that a file of the configuration has changed. Answers with what stops it. */
export function watchConfig(folder: string, changed: () => void): () => void {
  const dir = resolve(folder)
  const settings = join(dir, 'config')
  const read = async () => {
    // What cannot be read is told by whoever reads the configuration anew.
    const reading = { dir, problems: [] }
    const own = (await files(dir, reading)).filter((name) => name.startsWith('octavo.config.'))
    const paths = [
      ...own.map((name) => join(dir, name)),
      ...(await files(settings, reading)).map((name) => join(settings, name)),
    ]
    return Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8').catch(() => null)]))
  }
  return follow({ folders: [dir, settings], deep: false, read, known: null, changed })
}

interface Following<Content> {
  readonly folders: readonly string[]
  /** Whether all that is in the folders counts, or only their own files. */
  readonly deep: boolean
  readonly read: () => Promise<Content>
  /** What was read before; null takes what is there at first for it. */
  readonly known: Content | null
  readonly changed: (content: Content) => void
}

/** Reads when something in the folders has moved; what counts is whether it differs from the last time, not from what is served. */
function follow<Content>({ folders, deep, read, known, changed }: Following<Content>): () => void {
  const timers = new Map<number, NodeJS.Timeout>()
  let seen = known && JSON.stringify(known)
  let isStopped = false

  const watching = watchFolders(folders, deep, () => {
    lookIn(SETTLED)
    lookIn(AGAIN)
  })

  async function look() {
    if (isStopped) return
    const isWatched = await watching.renew()
    const content = await read()
    if (isStopped) return
    if (!isWatched) lookIn(UNWATCHED)
    const text = JSON.stringify(content)
    const isNew = seen !== null && seen !== text
    seen = text
    if (isNew) changed(content)
  }

  let looking = look()
  function lookIn(delay: number) {
    clearTimeout(timers.get(delay))
    const timer = setTimeout(() => {
      looking = looking.then(look, look)
    }, delay)
    timers.set(delay, timer.unref())
  }

  return () => {
    isStopped = true
    for (const timer of timers.values()) clearTimeout(timer)
    watching.close()
  }
}
