/** Where a migration stands while it is planned or applied: what it goes from and to, and whom it asks. */
import type { Attribute, ContentType } from '../../../model/model.ts'
import type { Dialect } from '../../dialect.ts'
import { type Sql, sql } from '../../sql.ts'
import type { Row, SqlValue } from '../../statement.ts'
import type { Entry } from '../../tables/entry.ts'
import { columnOf, reachableComponents, relationKeyText } from '../../tables/layout.ts'
import type { MatchedShape, MatchedType } from '../plan/change.ts'
import type { ModelTransition } from '../plan/match-models.ts'

export interface InspectionContext {
  readonly dialect: Dialect
  readonly transition: ModelTransition
  /** Numbers of relations by their previous keys. */
  readonly relations: ReadonlyMap<string, number>
  read(query: Sql): Promise<readonly Row[]>
}

/** Rows that something is true of, and the documents they are versions of: how many, and the first few. */
export interface AffectedRows {
  readonly rows: number
  readonly affected: number
  readonly documents: readonly string[]
}

export const NO_ROWS: AffectedRows = { rows: 0, affected: 0, documents: [] }

/** How many documents are named. */
const SHOWN = 5

/** Counts rows and documents one by one. */
export class AffectedRowCounter {
  readonly #rows = new Set<string>()
  readonly #documents = new Set<string>()

  add(table: string, id: number, documentId: string) {
    this.#rows.add(`${table} ${id}`)
    this.#documents.add(documentId)
  }

  get result(): AffectedRows {
    return {
      rows: this.#rows.size,
      affected: this.#documents.size,
      documents: [...this.#documents].sort().slice(0, SHOWN),
    }
  }
}

/** The rows of a table under a condition, and the documents they are of. */
export async function findRows(
  { read: ask }: InspectionContext,
  table: string,
  condition: Sql,
): Promise<AffectedRows> {
  const [counts] = await ask(
    sql`SELECT count(*) AS rows, count(DISTINCT document_id) AS documents
      FROM ${sql.table(table)} WHERE ${condition}`,
  )
  const rows = Number(counts?.rows)
  if (rows === 0) return NO_ROWS
  const named = await ask(
    sql`SELECT DISTINCT document_id FROM ${sql.table(table)} WHERE ${condition}
      ORDER BY document_id LIMIT ${sql.lit(SHOWN)}`,
  )
  return {
    rows,
    affected: Number(counts?.documents),
    documents: named.map(({ document_id }) => String(document_id)),
  }
}

const BATCH = 500

interface FilledRow {
  readonly id: number
  readonly documentId: string
  readonly locale: string
  readonly value: SqlValue
}

/** The rows of a table in which a column holds something, some at a time, in the order of their ids. */
export async function* readFilledRows(
  { read: ask }: Pick<InspectionContext, 'read'>,
  table: string,
  column: string,
  among: Sql = sql`1 = 1`,
): AsyncGenerator<readonly FilledRow[]> {
  for (let after = 0; ; ) {
    const rows = await ask(
      sql`SELECT id, document_id, locale, ${sql.id(column)} AS value FROM ${sql.table(table)}
        WHERE id > ${after} AND ${sql.id(column)} IS NOT NULL AND ${among} ORDER BY id LIMIT ${sql.lit(BATCH)}`,
    )
    const filled = rows.map((row) => ({
      id: Number(row.id),
      documentId: String(row.document_id),
      locale: String(row.locale),
      value: row.value ?? null,
    }))
    if (filled.length > 0) yield filled
    const last = filled.at(-1)
    if (!last || filled.length < BATCH) return
    after = last.id
  }
}

/** The entries that a column holds. */
export function parseEntries(value: SqlValue): readonly Entry[] {
  const entries: readonly Entry[] = value === null ? [] : JSON.parse(String(value))
  return entries
}

/** The kept content-types whose rows can hold what an attribute is on, as they were. */
const typesHolding = ({ transition }: InspectionContext, on: MatchedShape): readonly MatchedType[] =>
  on.kind === 'type'
    ? [on]
    : transition.types.filter(({ previous }) => componentsOf(transition, previous).includes(on.previous.uid))

/** The previous uids of the components that a previous content-type could contain, at any depth. */
function componentsOf(transition: ModelTransition, previous: Pick<ContentType, 'attributes'>): string[] {
  // Attributes of the previous model point at components by their new uids.
  const byNewUid = new Map([
    ...transition.previous.components,
    ...transition.components.map((on) => [on.next.uid, on.previous] as const),
  ])
  return reachableComponents({ ...transition.previous, components: byNewUid }, previous).map(({ uid }) => uid)
}

/** The numbers of the relations that hold the edges of a previous attribute; several for one inside a component. */
export const relationIdsOf = (context: InspectionContext, on: MatchedShape, attribute: Attribute): number[] =>
  typesHolding(context, on).flatMap(({ previous }) => {
    const component = on.kind === 'component' ? on.previous.uid : null
    const key = relationKeyText({ type: previous.uid, component, attribute: attribute.name })
    return context.relations.get(key) ?? []
  })

/** Whether an attribute of a content-type has a column. */
export const hasColumn = (attribute: Attribute) => attribute.kind !== 'relation' && attribute.kind !== 'media'

/** The SQL condition under which a column holds content. */
export const isFilledCondition = (dialect: Dialect, attribute: Attribute): Sql => {
  const column = sql.id(columnOf(attribute.name))
  if (attribute.kind === 'scalar') return sql`${column} IS NOT NULL`
  const empty = dialect.toColumnType(sql`'[]'`, dialect.jsonType)
  return sql`(${column} IS NOT NULL AND ${column} <> ${empty})`
}
