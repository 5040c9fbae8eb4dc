/** Finds the content of a database that an import would replace. Changes nothing. */
import { TOKENS } from '../../access/tables.ts'
import { hasOwnTokens } from '../../access/transfer.ts'
import type { Project } from '../../model/load-project.ts'
import { ROLE } from '../../model/model.ts'
import { compile } from '../../store/compile.ts'
import { readCurrentModel } from '../../store/migration/migrate.ts'
import { sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import { hasTable, readDatabase } from '../database.ts'

/** The content-types that have rows, with their number. Roles are ignored, because every database has some. */
export const findExistingContent = (project: Project): Promise<Map<string, number>> =>
  readDatabase(project, (store) => countRows(store, project))

async function countRows(store: Store, { model }: Project): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const read = (query: ReturnType<typeof sql>) => store.read(compile(store.dialect, query))
  const present = await readCurrentModel(store, model.locales)
  for (const { uid, table } of present?.layout.model.types.values() ?? []) {
    const [row] = await read(sql`select count(*) as count from ${sql.table(table)}`)
    if (uid !== ROLE && Number(row?.count) > 0) found.set(uid, Number(row?.count))
  }
  if ((await hasTable(store, TOKENS)) && (await hasOwnTokens(read))) found.set('tokens', 1)
  return found
}
