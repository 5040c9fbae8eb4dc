/** Refuses to open the database of a Strapi project: its tables have the names that ours would get. */
import { ownCommand } from '../project/own-command.ts'
import { compile } from './compile.ts'
import { StartError } from './errors.ts'
import type { Store } from './store.ts'

/** Every database of Strapi has this table. */
export const STRAPI_TABLE = 'strapi_core_store_settings'

export const strapiDatabaseError = () =>
  new StartError(
    'This is the database of a Strapi project, which Octavo does not write to.\n' +
      `  Use another one (database.url, OCTAVO_DATABASE_URL or --database), and bring the content with: ${ownCommand('import EXPORT')}`,
  )

/** Throws a StartError for the database of a Strapi project, unless it is already in use as ours. */
export async function refuseStrapiDatabase(store: Store, ownTable: string): Promise<void> {
  const has = async (table: string) =>
    (await store.read(compile(store.dialect, store.dialect.hasTable(table)))).length > 0
  if ((await has(STRAPI_TABLE)) && !(await has(ownTable))) throw strapiDatabaseError()
}
