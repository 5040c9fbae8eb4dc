/** The server's own tables, which belong to no content-type. */
import { compile } from '../compile.ts'
import type { Dialect } from '../dialect.ts'
import type { Sql } from '../sql.ts'
import type { Store } from '../store.ts'

/** The statements that create tables which do not exist yet. */
export type OwnTables = (dialect: Dialect) => readonly Sql[]

/** Creates those that do not exist yet, in one transaction. Safe to run in several processes at the same time. */
export async function createOwnTables(store: Store, ...tables: readonly OwnTables[]): Promise<void> {
  await store.write(async (transaction) => {
    transaction.lock(['octavo_own_tables'])
    for (const statements of tables)
      for (const statement of statements(store.dialect)) transaction.run(compile(store.dialect, statement))
  })
}
