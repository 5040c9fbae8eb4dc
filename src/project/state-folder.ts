/** The folder `.octavo` of a project: the database, the signing secret and the e-mails of development. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sqliteFile } from './config/database-url.ts'

export const stateFolderOf = (dir: string) => join(dir, '.octavo')

/**
 * Creates the folder if something will be written to it, with a .gitignore that keeps all of it out of version control,
 * whatever the project ignores. A folder that cannot be written is reported by whoever needs it.
 */
export async function createStateFolder(
  dir: string,
  databaseUrl: string,
  production: boolean,
): Promise<void> {
  const folder = stateFolderOf(dir)
  if (production && !sqliteFile(databaseUrl)?.startsWith(folder)) return
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 })
  } catch (failure) {
    if (!(failure instanceof Error && 'code' in failure)) throw failure
  }
}
