/** Invariants of every database; violations are returned as sentences. */
import { blueprintOf } from '../../src/documents/rows/blueprint.ts'
import { entryAndNested } from '../../src/documents/versions/version.ts'
import type { ContentType } from '../../src/model/model.ts'
import { compile } from '../../src/store/compile.ts'
import { type Sql, sql } from '../../src/store/sql.ts'
import type { Row } from '../../src/store/statement.ts'
import type { Store } from '../../src/store/store.ts'
import type { Entry } from '../../src/store/tables/entry.ts'
import { columnOf, EDGES, type Layout } from '../../src/store/tables/layout.ts'
import { servedRow, servedScalars } from '../../src/store/tables/served.ts'

/** All violations. */
export async function brokenRules(store: Store, layout: Layout): Promise<string[]> {
  const select = (query: Sql) => store.read(compile(store.dialect, query))
  const edges = await select(sql`select * from ${sql.table(EDGES)}`)
  const types = [...layout.model.types.values()]
  const rows = new Map<string, readonly Row[]>()
  for (const type of types) rows.set(type.uid, await select(sql`select * from ${sql.table(type.table)}`))
  const documents = new Set([...rows.values()].flat().map((row) => row.document_id))
  return types.flatMap((type) => {
    const own = rows.get(type.uid) ?? []
    return [...brokenRows(type, own), ...brokenEdges(layout, type, own, edges, documents)]
  })
}

function brokenRows(type: ContentType, rows: readonly Row[]): string[] {
  const broken: string[] = []
  for (const row of rows) {
    const served = servedRow(
      type,
      String(row.document_id),
      servedScalars(type, (name) => row[columnOf(name)] ?? null),
      {
        createdAt: String(row.created_at),
        updatedAt: String(row.updated_at),
        publishedAt: row.published_at === null ? null : String(row.published_at),
      },
      String(row.locale),
    )
    if (served !== row.served) broken.push(`${type.singular} ${row.id} serves something else than it has`)
    if ((row.published === 0) !== (row.published_at === null))
      broken.push(`${type.singular} ${row.id} has a wrong publishedAt`)
    const draft = rows.some(
      (one) => one.document_id === row.document_id && one.locale === row.locale && one.published === 0,
    )
    if (type.draftAndPublish && !draft) broken.push(`${type.singular} ${row.id} is published without a draft`)
    const shared = [...type.attributes.values()].filter(
      (one) => one.kind !== 'relation' && one.kind !== 'media' && !one.localized,
    )
    for (const other of rows) {
      if (other.document_id !== row.document_id || other.published !== row.published) continue
      for (const { name } of shared) {
        if (other[columnOf(name)] !== row[columnOf(name)])
          broken.push(`${type.singular} ${row.id} differs in ${name} from ${other.id}`)
      }
    }
  }
  return broken
}

function brokenEdges(
  layout: Layout,
  type: ContentType,
  rows: readonly Row[],
  edges: readonly Row[],
  documents: ReadonlySet<unknown>,
): string[] {
  const blueprint = blueprintOf(layout, type)
  const broken: string[] = []
  const entriesOf = (row: Row) =>
    blueprint.lists.flatMap(({ name }) => {
      const list: Entry[] = JSON.parse(String(row[columnOf(name)] ?? '[]'))
      return list.flatMap((top) => [...entryAndNested(top)].map(({ i }) => i))
    })
  const entries = new Map(rows.map((row) => [row.id, new Set([0, ...entriesOf(row)])]))
  const own = edges.filter((edge) => blueprint.relations.includes(Number(edge.relation)))
  const seen = new Set<string>()
  for (const edge of own) {
    const at = `an edge of ${type.singular} ${edge.source}`
    if (!entries.get(edge.source ?? null)?.has(Number(edge.entry))) broken.push(`${at} starts nowhere`)
    if (!documents.has(edge.target)) broken.push(`${at} leads nowhere`)
    if (rows.find((row) => row.id === edge.source)?.published !== edge.published)
      broken.push(`${at} has another status than its row`)
    const list = `${edge.relation} ${edge.source} ${edge.entry}`
    for (const name of [`${list} ${edge.target}`, `${list} at ${edge.position}`]) {
      if (seen.has(name)) broken.push(`${at} is there twice: ${name}`)
      seen.add(name)
    }
  }
  for (const { attribute, relation } of blueprint.owned.values()) {
    const mine = own.filter((edge) => edge.relation === relation)
    if (attribute.kind === 'relation' && !attribute.many) {
      const sources = mine.map((edge) => edge.source)
      if (new Set(sources).size < sources.length)
        broken.push(`${type.singular}.${attribute.name} has two targets`)
    }
    if (blueprint.exclusive.has(relation)) {
      const owners = mine.map((edge) => {
        const row = rows.find((one) => one.id === edge.source)
        return `${edge.target} ${row?.published} ${row?.locale}`
      })
      if (new Set(owners).size < owners.length)
        broken.push(`a target of ${type.singular}.${attribute.name} has two owners`)
    }
  }
  return broken
}
