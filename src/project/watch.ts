/** Watches the schema files of a project folder, for a server that follows edits while they are made. */
import { type FSWatcher, mkdirSync, watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { readSchemas } from './files.ts'
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
  let timer: NodeJS.Timeout | undefined
  let seen: string | null = null
  let stopped = false

  /** What counts is whether the files differ from the last look, not from what is served. */
  async function look() {
    const mistakes: Mistake[] = []
    const sources = await readSchemas(dir, mistakes)
    const text = JSON.stringify([sources, mistakes])
    const isNew = seen !== null && seen !== text
    seen = text
    if (isNew && !stopped) changed({ sources, mistakes })
  }

  let looking = look()
  const lookAgain = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      looking = looking.then(look, look)
    }, SETTLED)
    timer.unref()
  }

  const watcher: FSWatcher = watch(source, { recursive: true, persistent: false }, lookAgain)
  // A folder that goes away while it is watched is seen as a change; there is nothing else to do about it.
  watcher.on('error', lookAgain)
  return () => {
    stopped = true
    clearTimeout(timer)
    watcher.close()
  }
}
