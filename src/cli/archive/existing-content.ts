/** What a database holds already, which an import would take the place of. Nothing is written by asking. */
import { TOKENS } from '../../access/tables.ts'
import { hasOwnTokens } from '../../access/transfer.ts'
import type { Project } from '../../model/load-project.ts'
import { ROLE } from '../../model/model.ts'
import { compile } from '../../store/compile.ts'
import { readCurrentModel } from '../../store/migration/migrate.ts'
import { sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import { hasTable, readDatabase } from '../database.ts'

/** Content-types that have rows, with how many; roles do not count, every database has some. */
export const contentIn = (project: Project): Promise<Map<string, number>> =>
  readDatabase(project, (store) => countedIn(store, project))

async function countedIn(store: Store, { model }: Project): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const ask = (query: ReturnType<typeof sql>) => store.read(compile(store.dialect, query))
  const present = await readCurrentModel(store, model.locales)
  for (const { uid, table } of present?.layout.model.types.values() ?? []) {
    const [row] = await ask(sql`select count(*) as count from ${sql.table(table)}`)
    if (uid !== ROLE && Number(row?.count) > 0) found.set(uid, Number(row?.count))
  }
  if ((await hasTable(store, TOKENS)) && (await hasOwnTokens(ask))) found.set('tokens', 1)
  return found
}
