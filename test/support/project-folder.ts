/** Project folders made for a test, and the files in them. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'

/** Files of a project by path; anything but text is written as JSON, null removes one. */
export type Files = Readonly<Record<string, unknown>>

/** A folder with these files, removed after the test. */
export function folderOf(t: TestContext, files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-project-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFiles(folder, files)
  return folder
}

/** Copies a project, without the database and the uploads of those who have tried it out. */
export function copyProject(source: string, folder: string) {
  cpSync(source, folder, { recursive: true, filter: (file) => !/\.octavo$|uploads$/.test(file) })
}

export function writeFiles(folder: string, files: Files) {
  for (const [path, content] of Object.entries(files)) {
    const place = join(folder, path)
    mkdirSync(dirname(place), { recursive: true })
    if (content === null) rmSync(place)
    else writeFileSync(place, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
  }
}
