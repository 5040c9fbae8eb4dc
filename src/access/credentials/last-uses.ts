/** When credentials were last used. The times are remembered in memory and stored together, because there is one for every request. */
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'

export interface LastUses<Id extends string | number> {
  record(id: Id): void
  /** The time that is not stored yet, in milliseconds; 0 if there is none. */
  unsaved(id: Id): number
  forget(id: Id): void
  /** Stores the times. Those that another process has stored stay if they are later. */
  save(): Promise<void>
}

/** Of the credentials in a table with the columns `id` and `last_used_at`. */
export function createLastUses<Id extends string | number>(store: Store, table: string): LastUses<Id> {
  const lastUsed = new Map<Id, number>()
  return {
    record(id) {
      lastUsed.set(id, Date.now())
    },
    unsaved: (id) => lastUsed.get(id) ?? 0,
    forget(id) {
      lastUsed.delete(id)
    },
    async save() {
      const uses = [...lastUsed]
      lastUsed.clear()
      if (uses.length === 0) return
      // Without `touch`: the time of use does not affect permissions, so cached callers stay valid.
      await store.write(async (transaction) => {
        for (const [id, at] of uses) {
          const usedAt = new Date(at).toISOString()
          transaction.run(
            compile(
              store.dialect,
              sql`update ${sql.table(table)} set last_used_at = ${usedAt}
                where id = ${id} and (last_used_at is null or last_used_at < ${usedAt})`,
            ),
          )
        }
      })
    },
  }
}
