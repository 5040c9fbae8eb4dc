/**
 * Makes the served JSON of component entries again after the scalars of a component have changed. A value that is no
 * longer served moves to the entry's private values and comes back from there: nothing is lost.
 */
import { sql } from 'kysely'
import type { Model, ScalarTypeName } from '../model/model.ts'
import { scalars } from '../model/scalars/index.ts'
import { compile } from './compile.ts'
import type { Entry } from './entry.ts'
import { StartError } from './failure.ts'
import { columnOf, reachableComponents } from './layout.ts'
import { replaceText } from './rebuild-served.ts'
import type { Transaction } from './store.ts'
import type { ComponentState } from './tables.ts'

export interface ChangedComponent {
  readonly uid: string
  readonly before: ComponentState
  readonly after: ComponentState
}

const BATCH = 200

/** Rewrites the entries of the changed components in every type that can hold them. */
export async function rebuildEntries(
  transaction: Transaction,
  model: Model,
  changed: readonly ChangedComponent[],
) {
  const byUid = new Map(changed.map((component) => [component.uid, component]))
  for (const type of model.types.values()) {
    if (!reachableComponents(model, type).some(({ uid }) => byUid.has(uid))) continue
    const holders = [...type.attributes.values()].filter((a) => a.kind === 'component' || a.kind === 'zone')
    for (const { name } of holders) {
      await rebuildColumn(transaction, type.table, columnOf(name), (entries) =>
        entries.map((entry) => rebuildEntry(entry, byUid)),
      )
    }
    transaction.touch(type.table)
  }
}

async function rebuildColumn(
  transaction: Transaction,
  table: string,
  column: string,
  rebuild: (entries: readonly Entry[]) => readonly Entry[],
) {
  for (let after = 0; ; ) {
    const rows = await transaction.all(
      compile(
        transaction.engine,
        sql`SELECT id, ${sql.id(column)} AS entries FROM ${sql.table(table)}
          WHERE id > ${after} AND ${sql.id(column)} IS NOT NULL ORDER BY id LIMIT ${sql.lit(BATCH)}`,
      ),
    )
    const values = rows.map((row): [number, string] => [
      Number(row.id),
      JSON.stringify(rebuild(JSON.parse(String(row.entries)))),
    ])
    await replaceText(transaction, table, column, values)
    const last = values.at(-1)
    if (!last || rows.length < BATCH) return
    after = last[0]
  }
}

/** An entry with its own scalars and those of the entries inside it made again. */
function rebuildEntry(entry: Entry, changed: ReadonlyMap<string, ChangedComponent>): Entry {
  const { n, ...own } = entry
  const component = changed.get(entry.c)
  const rebuilt = component ? { ...own, ...rebuildScalars(own, component) } : own
  if (!n) return rebuilt
  const nested = Object.entries(n).map(([name, entries]): [string, Entry[]] => [
    name,
    entries.map((inner) => rebuildEntry(inner, changed)),
  ])
  return { ...rebuilt, n: Object.fromEntries(nested) }
}

type PrivateValues = NonNullable<Entry['p']>

function rebuildScalars(entry: Entry, { uid, before, after }: ChangedComponent): Pick<Entry, 's' | 'p'> {
  const served: Record<string, unknown> = entry.s === '' ? {} : JSON.parse(`{${entry.s.slice(1)}}`)
  const stored = new Map(Object.entries(entry.p ?? {}))
  for (const [name, value] of Object.entries(served)) {
    const former = before.scalars.find((scalar) => scalar.name === name)
    stored.set(name, storedForm(former?.type ?? null, value))
  }
  let fragment = ''
  for (const { name, type, public: isPublic } of after.scalars) {
    const value = stored.get(name) ?? null
    if (value !== null) refuseRetyped(uid, name, type, before)
    if (!isPublic) continue
    stored.delete(name)
    fragment += `,${JSON.stringify(name)}:${value === null ? 'null' : scalars[type].json(value)}`
  }
  return stored.size > 0 ? { s: fragment, p: Object.fromEntries(stored) } : { s: fragment }
}

function refuseRetyped(uid: string, name: string, type: ScalarTypeName, before: ComponentState) {
  const former = before.scalars.find((scalar) => scalar.name === name)
  if (!former || scalars[former.type].family === scalars[type].family) return
  throw new StartError(
    `The attribute ${name} of the component ${uid} has changed its type from ${former.type} to ${type}, but there is content of the former type: clear it first or give the attribute another name`,
  )
}

/** What a column would hold for a served value; without a type, what fits its JSON. */
function storedForm(type: ScalarTypeName | null, served: unknown): PrivateValues[string] {
  if (served === null || served === undefined) return null
  if (type === 'json' || type === 'blocks') return JSON.stringify(served)
  if (typeof served === 'string' || typeof served === 'number') return served
  return typeof served === 'boolean' ? Number(served) : JSON.stringify(served)
}
