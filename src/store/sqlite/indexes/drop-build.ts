/** The names of what an index has while it is created, and how that is found and dropped. */
import { type Sql, sql } from '../../sql.ts'

/** The copy of the indexed columns. */
export const copyName = (index: string): string => `${index}_copy`

type RowEvent = 'insert' | 'update' | 'delete'
const EVENTS: readonly RowEvent[] = ['insert', 'update', 'delete']

/** The trigger of the original that passes a change on to the copy. */
export const trigger = (index: string, event: RowEvent): Sql => sql.id(triggerName(index, event))

const triggerName = (index: string, event: RowEvent) => `${index}_${event}`

/** Whether an index is being created, or was when the process that did so ended. */
export const isBuilding = (index: string): Sql => {
  const names = [copyName(index), ...EVENTS.map((event) => triggerName(index, event))]
  return sql`SELECT count(*) = ${names.length} AS building FROM sqlite_schema WHERE name IN (${sql.join(names)})`
}

/** With a trigger whose table is gone, every write would fail: so the triggers go first. */
export const dropBuild = (index: string): readonly Sql[] => [
  ...EVENTS.map((event) => sql`DROP TRIGGER IF EXISTS ${trigger(index, event)}`),
  sql`DROP TABLE IF EXISTS ${sql.table(copyName(index))}`,
]
