/**
 * Saves a first state of documents that have none: those that existed before their history was kept, and imported ones.
 * Without it, the first change of such a document would lose what it was before.
 */
import type { JobKind } from '../../jobs/job.ts'
import type { ContentType } from '../../model/model.ts'
import { compile } from '../../store/compile.ts'
import type { Dialect } from '../../store/dialect.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { authorText } from '../changes/author-text.ts'
import { type Blueprint, blueprintOf } from '../rows/blueprint.ts'
import { loadDocuments } from '../rows/load-versions.ts'
import { inDocuments, placeholder, statement } from '../rows/statement.ts'
import { type Version, type Versions, versionOf } from '../versions/version.ts'
import { insertStates, type SavedState } from './insert-states.ts'
import { serializeContent, serializeState } from './state.ts'
import { history } from './tables.ts'

/** The documents that one statement examines, and those that one transaction saves. */
const STEP = 1_000
const BATCH = 200
const EVERY_MS = 60_000

/** Examines every document once for each model that the process serves. */
export function existingContentHistory(store: Store, layout: () => Layout): JobKind {
  let completed: Layout | null = null
  return {
    kind: 'history.existing',
    every: EVERY_MS,
    async run() {
      const current = layout()
      if (completed === current) return
      await saveExistingContent(store, current)
      completed = current
    },
  }
}

/** Saves the states that are missing, in small steps that no write waits for, and returns how many. */
export async function saveExistingContent(store: Store, layout: Layout): Promise<number> {
  let saved = 0
  for (const type of layout.model.types.values()) {
    if (!type.history) continue
    for (let after: string | null = ''; after !== null; ) {
      const rows = await store.read(compile(store.dialect, documentsAfter(store.dialect, type, after)))
      const missing = rows.filter((row) => row.missing === 1).map((row) => String(row.document_id))
      for (let from = 0; from < missing.length; from += BATCH)
        saved += await saveDocuments(store, blueprintOf(layout, type), missing.slice(from, from + BATCH))
      after = rows.length < STEP ? null : String(rows.at(-1)?.document_id)
    }
  }
  return saved
}

/** The next documents, and whether a locale of them has no saved state. */
function documentsAfter(dialect: Dialect, { uid, table }: ContentType, after: string): Sql {
  const rows = sql.table(table)
  const own = (column: string) => dialect.asOwnText(sql.ref(column))
  return sql`select d.document_id, case when exists (
      select 1 from ${rows} as t where t.document_id = d.document_id and not exists (
        select 1 from ${history} as h
        where h.document_id = ${own('t.document_id')} and h.locale = ${own('t.locale')} and h.type = ${uid})) then 1 else 0 end as missing
    from (select distinct document_id from ${rows} where document_id > ${after}
      order by document_id limit ${sql.lit(STEP)}) as d
    order by d.document_id`
}

const saveDocuments = (store: Store, blueprint: Blueprint, ids: readonly string[]): Promise<number> =>
  store.write(async (transaction) => {
    // Otherwise a change could save its state first, and this one would be taken for a newer one.
    transaction.lock(ids)
    const states = await missingStates(transaction, blueprint, ids)
    insertStates(transaction, states)
    return states.length
  })

async function missingStates(
  transaction: Transaction,
  blueprint: Blueprint,
  ids: readonly string[],
): Promise<SavedState[]> {
  const { dialect } = transaction
  const list = inDocuments(dialect, ids)
  const build = () => sql`select distinct document_id, locale from ${history}
    where ${list.test(sql.ref('document_id'))} and type = ${placeholder}`
  const parameters = [...list.parameters, blueprint.type.uid]
  const [known, documents] = await Promise.all([
    transaction.all(statement(dialect, `history known|${list.shape}`, build, parameters)),
    loadDocuments(transaction, blueprint, ids),
  ])
  const localesOf = Map.groupBy(known, (row) => String(row.document_id))
  return [...documents].flatMap(([documentId, versions]) => {
    const saved = new Set(localesOf.get(documentId)?.map((row) => String(row.locale)))
    return statesOf(blueprint, documentId, versions, saved)
  })
}

/** In each locale that has no saved state, those of the published version and of a draft that differs from it. */
function statesOf(
  blueprint: Blueprint,
  documentId: string,
  versions: Versions,
  saved: ReadonlySet<string>,
): SavedState[] {
  const locales = new Set(versions.map(({ locale }) => locale))
  return [...locales]
    .filter((locale) => !saved.has(locale))
    .flatMap((locale) => {
      const published = versionOf(versions, locale, true)
      const draft = versionOf(versions, locale, false)
      const states = [published, draft].flatMap((version) =>
        version ? [stateOf(blueprint, documentId, version)] : [],
      )
      const [first, second] = states
      return first?.content === second?.content ? states.slice(0, 1) : states
    })
}

/** The state is saved now, by the server. When and by whom the version was changed last is a part of it. */
export function stateOf(blueprint: Blueprint, documentId: string, version: Version) {
  const { type } = blueprint
  const { locale, published, createdAt, updatedAt, id } = version
  const content = serializeContent(blueprint, version)
  const edited = createdAt === updatedAt ? 'create' : 'update'
  return {
    ...{ type, documentId, locale, published, content },
    action: published && type.draftAndPublish ? 'publish' : edited,
    author: authorText({ kind: 'system' }),
    requestId: null,
    at: new Date().toISOString(),
    rowId: id,
    rowPublished: published,
    state: serializeState(version, content),
  }
}
