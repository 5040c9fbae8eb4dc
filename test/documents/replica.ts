/**
 * A copy of all content that is kept up to date by events alone: only documents that an event names are read again. A
 * change without an event makes it differ from the database.
 */
import { readEventsAfter } from '../../src/events/outbox/read-events.ts'
import { compile } from '../../src/store/compile.ts'
import { type Sql, sql } from '../../src/store/sql.ts'
import type { Row } from '../../src/store/statement.ts'
import type { Store } from '../../src/store/store.ts'
import { EDGES, type Layout, ownedRelations } from '../../src/store/tables/layout.ts'

/** The versions of documents as JSON, by content-type, documentId and locale. */
type Contents = ReadonlyMap<string, string>

export class Replica {
  readonly #store: Store
  readonly #layout: () => Layout
  readonly #contents = new Map<string, string>()
  #last = 0

  constructor(store: Store, layout: () => Layout) {
    this.#store = store
    this.#layout = layout
  }

  /** Reads the documents of all new events again, and returns the names of the events. */
  async follow(): Promise<string[]> {
    const names: string[] = []
    for (;;) {
      const events = await readEventsAfter(this.#store, this.#last)
      if (events.length === 0) return names
      for (const { seq, event, type, documentId, locale } of events) {
        names.push(event)
        this.#last = seq
        const key = keyOf(type, documentId, locale ?? '')
        const found = await this.#read(
          type,
          sql`where document_id = ${documentId} and locale = ${locale ?? ''}`,
        )
        const content = found.get(key)
        if (content === undefined) this.#contents.delete(key)
        else this.#contents.set(key, content)
      }
    }
  }

  get contents(): Contents {
    return new Map([...this.#contents].sort())
  }

  /** The same of the database. */
  async actual(): Promise<Contents> {
    const all: [string, string][] = []
    for (const uid of this.#layout().model.types.keys()) all.push(...(await this.#read(uid, sql``)))
    return new Map(all.sort())
  }

  async #read(uid: string, condition: Sql): Promise<Map<string, string>> {
    const layout = this.#layout()
    const type = layout.model.types.get(uid)
    if (!type) return new Map()
    const select = (query: Sql) => this.#store.read(compile(this.#store.dialect, query))
    const rows = await select(sql`select * from ${sql.table(type.table)} ${condition} order by id`)
    const relations = ownedRelations(layout.model)
      .filter((key) => key.type === uid)
      .map((key) => sql.lit(layout.relationId(key)))
    const ids = rows.map(({ id }) => sql.lit(Number(id)))
    const edges =
      relations.length === 0 || ids.length === 0
        ? []
        : await select(sql`select relation, source, entry, target, position from ${sql.table(EDGES)}
            where relation in (${sql.join(relations)}) and source in (${sql.join(ids)})
            order by source, relation, entry, position, target`)
    const bySource = Map.groupBy(edges, ({ source }) => Number(source))
    const contents = Map.groupBy(rows, (row) => keyOf(uid, String(row.document_id), String(row.locale)))
    return new Map([...contents].map(([key, versions]) => [key, contentOf(versions, bySource)]))
  }
}

const keyOf = (uid: string, documentId: string, locale: string) => `${uid} ${documentId} ${locale}`

const contentOf = (versions: readonly Row[], edges: ReadonlyMap<number, readonly Row[]>) =>
  JSON.stringify(
    versions.map((row) => ({ ...row, edges: edges.get(Number(row.id)) ?? [] })),
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )
