/** Who has a document open in the admin app, so that two people do not change it at the same time without knowing. */
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import { PRESENCE } from '../tables.ts'

export interface Present {
  /** documentId of the user. */
  readonly account: string
  readonly since: string
  /** Whether the person has unsaved changes. */
  readonly editing: boolean
}

export interface Presence {
  /** Says that a person has a document open, and returns who else has. The app repeats this every 20 seconds. */
  report(document: string, account: string, editing: boolean): Promise<readonly Present[]>
  leave(document: string, account: string): Promise<void>
}

/** A person has left if the app has not reported for this long. */
const LIFETIME_MS = 60_000

export function createPresence(store: Store): Presence {
  const table = sql.table(PRESENCE)
  const instant = (inMs = 0) => new Date(Date.now() + inMs).toISOString()
  return {
    report: (document, account, editing) =>
      store.write(async (transaction) => {
        const run = (statement: ReturnType<typeof sql>) => transaction.run(compile(store.dialect, statement))
        const isEditing = editing ? 1 : 0
        run(sql`delete from ${table} where seen_at < ${instant(-LIFETIME_MS)}`)
        run(sql`insert into ${table} (document, account, since, seen_at, editing)
          values (${document}, ${account}, ${instant()}, ${instant()}, ${isEditing})
          on conflict (document, account) do update set seen_at = ${instant()}, editing = ${isEditing}`)
        const others = await transaction.all(
          compile(
            store.dialect,
            sql`select account, since, editing from ${table}
              where document = ${document} and account <> ${account} order by since, account`,
          ),
        )
        return others.map((row) => ({
          account: String(row.account),
          since: String(row.since),
          editing: row.editing === 1,
        }))
      }),

    leave: (document, account) =>
      store.write(async (transaction) =>
        transaction.run(
          compile(
            store.dialect,
            sql`delete from ${table} where document = ${document} and account = ${account}`,
          ),
        ),
      ),
  }
}
