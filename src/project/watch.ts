/** Watches the files of a project folder, for a server that follows edits while they are made. */
import { existsSync, mkdirSync, watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { files, readSchemas } from './files.ts'
import type { Mistake } from './mistake.ts'
import type { SchemaSource } from './source.ts'

/** Editors write a file in several steps, and people save several files at once. */
const SETTLED = 80

export interface SchemaFiles {
  readonly sources: readonly SchemaSource[]
  readonly mistakes: readonly Mistake[]
}

/** Calls `changed` with all schemas each time that their files have changed. Answers with what stops it. */
export function watchSchemas(folder: string, changed: (files: SchemaFiles) => void): () => void {
  const dir = resolve(folder)
  const source = join(dir, 'src')
  mkdirSync(source, { recursive: true })
  const read = async (): Promise<SchemaFiles> => {
    const mistakes: Mistake[] = []
    return { sources: await readSchemas(dir, mistakes), mistakes }
  }
  return watchFolders([source], true, read, changed)
}

/** Calls `changed` each time that a file of the configuration has changed. Answers with what stops it. */
export function watchConfig(folder: string, changed: () => void): () => void {
  const dir = resolve(folder)
  const settings = join(dir, 'config')
  const read = async () => {
    const own = (await files(dir)).filter((name) => name.startsWith('octavo.config.'))
    const paths = [
      ...own.map((name) => join(dir, name)),
      ...(await files(settings)).map((name) => join(settings, name)),
    ]
    return Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8').catch(() => null)]))
  }
  return watchFolders([dir, settings].filter(existsSync), false, read, changed)
}

/** Reads when something in the folders has moved; what counts is whether it differs from the last time, not from what is served. */
function watchFolders<Content>(
  folders: readonly string[],
  recursive: boolean,
  read: () => Promise<Content>,
  changed: (content: Content) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined
  let seen: string | null = null
  let stopped = false

  async function look() {
    const content = await read()
    const text = JSON.stringify(content)
    const isNew = seen !== null && seen !== text
    seen = text
    if (isNew && !stopped) changed(content)
  }

  let looking = look()
  const lookAgain = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      looking = looking.then(look, look)
    }, SETTLED)
    timer.unref()
  }

  const watchers = folders.map((folder) => {
    const watcher = watch(folder, { recursive, persistent: false }, lookAgain)
    // A folder that goes away while it is watched is seen as a change; there is nothing else to do about it.
    return watcher.on('error', lookAgain)
  })
  return () => {
    stopped = true
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
