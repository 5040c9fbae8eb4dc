/**
 * Fills a database in bulk, a million documents in minutes, with the code of `octavo import` and large transactions.
 * The rows are the same as if each document had been created over HTTP.
 */
import { saveExistingContent } from '../../src/documents/history/existing-content.ts'
import { type EdgeRow, insertEdges } from '../../src/documents/rows/edge-rows.ts'
import { ArchiveLine } from '../../src/documents/transfer/archive-line.ts'
import { type ArchivedRow, insertRows, readRow, rowsPerStatement } from '../../src/documents/transfer/rows.ts'
import { createServer } from '../../src/http/app.ts'
import { type ContentType, typeOf } from '../../src/model/model.ts'
import type { Transaction } from '../../src/store/store.ts'
import { advancePositions, advanceRowIds } from '../../src/store/tables/counters.ts'
import type { Layout } from '../../src/store/tables/layout.ts'
import { type Kind, kindsOf, type Seeded } from './restaurants.ts'

/** Documents of a transaction: with more, what they are made of outlives the young generation of the heap. */
const AT_A_TIME = 1_000
const NOW = '2026-01-01T00:00:00.000Z'

/** 24 characters, the length of a documentId. */
const documentIdOf = (kind: string, index: number) =>
  `${kind.slice(0, 8).padEnd(8, 'x')}${index.toString(36).padStart(16, '0')}`

/** Fills an empty database; calls `onProgress` with the number of restaurants written. */
export async function fillInBulk(
  project: string,
  databaseUrl: string,
  restaurants: number,
  onProgress: (done: number) => void = () => {},
): Promise<Seeded> {
  await fillWith(project, databaseUrl, kindsOf(restaurants), (kind, done) => {
    if (kind === 'restaurant') onProgress(done)
  })
  const ids = (kind: string, most: number) =>
    Array.from({ length: most }, (_, index) => documentIdOf(kind, index))
  return {
    chefs: ids('chef', 500),
    categories: ids('category', 50),
    restaurants: ids('restaurant', Math.min(restaurants, 5_000)),
  }
}

/** Fills an empty database with these kinds of documents; calls `onProgress` with the number of each that are written. */
export async function fillWith(
  project: string,
  databaseUrl: string,
  kinds: readonly Kind[],
  onProgress: (kind: string, done: number) => void = () => {},
): Promise<void> {
  const server = await createServer({
    project,
    config: { database: { url: databaseUrl } },
    logLevel: 'silent',
  })
  try {
    for (const kind of kinds) {
      for (let from = 0; from < kind.count; from += AT_A_TIME) {
        const to = Math.min(from + AT_A_TIME, kind.count)
        await server.store.write((transaction) => put(transaction, server.layout(), kind, from, to))
        onProgress(kind.name, to)
      }
    }
    await server.store.write(async (transaction) => advancePositions(transaction))
    // A server would do it in its first minutes, while it is measured.
    await saveExistingContent(server.store, server.layout())
  } finally {
    await server.close()
  }
}

async function put(transaction: Transaction, layout: Layout, kind: Kind, from: number, to: number) {
  const type = typeOf(layout.model, `api::${kind.name}.${kind.name}`)
  const versions = type.draftAndPublish ? [false, true] : [true]
  const relations = Object.keys(kind.targets).map((attribute) => ({
    attribute,
    relation: layout.relationId({ type: type.uid, component: null, attribute }),
    target: kind.targets[attribute] ?? '',
  }))
  const rows: ArchivedRow[] = []
  const edges: EdgeRow[] = []
  for (let index = from; index < to; index++) {
    const { values, links } = kind.document(index)
    for (const [place, published] of versions.entries()) {
      const id = index * versions.length + place + 1
      const row = readRow(
        lineOf(type, id, documentIdOf(kind.name, index), published, values),
        reading(layout),
      )
      if (row) rows.push(row)
      for (const { attribute, relation, target } of relations)
        for (const [position, there] of (links[attribute] ?? []).entries())
          edges.push({
            relation,
            source: id,
            entry: 0,
            published,
            target: documentIdOf(target, there),
            targetType: null,
            position,
            inversePosition: index,
          })
    }
  }
  const size = rowsPerStatement(rows[0]?.parameters.length ?? 1)
  for (let at = 0; at < rows.length; at += size)
    await insertRows(transaction, layout, type, rows.slice(at, at + size), [])
  insertEdges(transaction, edges)
  await advanceRowIds(transaction, type.table, to * versions.length)
}

const reading = (layout: Layout) => ({
  layout,
  unknown: {
    add(name: string): never {
      throw new Error(`bench/project has no ${name}`)
    },
  },
  onEntryId: () => {},
})

const lineOf = (type: ContentType, id: number, documentId: string, published: boolean, values: object) =>
  new ArchiveLine(
    {
      kind: 'row',
      type: type.uid,
      id,
      documentId,
      locale: '',
      published,
      createdAt: NOW,
      updatedAt: NOW,
      publishedAt: published ? NOW : null,
      createdBy: null,
      updatedBy: null,
      revision: 1,
      values,
    },
    `Document ${documentId}`,
  )
