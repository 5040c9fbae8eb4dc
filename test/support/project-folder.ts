/** Creates project folders for tests and writes their files. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'

/** Files of a project by path. A value that is not a string is written as JSON; null deletes the file. */
export type Files = Readonly<Record<string, unknown>>

/** The folder is removed after the test. */
export function createProjectFolder(t: TestContext, files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-project-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFiles(folder, files)
  return folder
}

/** Copies a project without its database and uploads. */
export function copyProject(source: string, folder: string) {
  cpSync(source, folder, { recursive: true, filter: (file) => !/\.octavo$|uploads$/.test(file) })
}

export function writeFiles(folder: string, files: Files) {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    if (content === null) rmSync(file)
    else writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
  }
}
