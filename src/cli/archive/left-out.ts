/** Counts what an archive leaves out of a database. */
import { INVITATIONS, SECOND_FACTORS } from '../../access/tables.ts'
import { HISTORY } from '../../documents/history/tables.ts'
import { RELEASES } from '../../documents/releases/tables.ts'
import { SCHEDULES } from '../../documents/schedules/tables.ts'
import { WEBHOOKS } from '../../events/webhooks/tables.ts'
import type { Dialect } from '../../store/dialect.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { ReadRows } from '../../store/store.ts'
import { quantity } from './progress.ts'

interface LeftOut {
  readonly table: string
  readonly noun: string
  readonly where?: Sql
}

const NEVER_EXPORTED: readonly LeftOut[] = [
  // Those of the configuration are created by the server.
  { table: WEBHOOKS, noun: 'webhook', where: sql`source <> 'config'` },
  { table: SCHEDULES, noun: 'schedule' },
  { table: RELEASES, noun: 'release' },
  { table: SECOND_FACTORS, noun: 'second factor', where: sql`confirmed_at is not null` },
  { table: INVITATIONS, noun: 'invitation' },
]

/** A phrase for each kind, such as `2 webhooks`. */
export async function leftOutOfArchive(
  read: ReadRows,
  dialect: Dialect,
  withHistory: boolean,
): Promise<string[]> {
  const found: string[] = []
  for (const { table, noun, where } of NEVER_EXPORTED) {
    const count = await countOf(read, dialect, table, where)
    if (count > 0) found.push(quantity(count, noun))
  }
  const states = withHistory ? 0 : await countOf(read, dialect, HISTORY)
  if (states > 0) found.push(`${quantity(states, 'saved state')} (add --history to include them)`)
  return found
}

/** Tables are created when they are first needed. */
async function countOf(read: ReadRows, dialect: Dialect, table: string, where?: Sql): Promise<number> {
  if ((await read(dialect.hasTable(table))).length === 0) return 0
  const [row] = await read(
    sql`select count(*) as count from ${sql.table(table)} where ${where ?? sql.raw('1 = 1')}`,
  )
  return Number(row?.count)
}
