/** Attaches uploaded files to a document that the upload names by `ref`, `refId` and `field`. */
import { type RawBuilder, sql } from 'kysely'
import { errors } from '../errors.ts'
import type { ContentType, MediaAttribute, Model } from '../model/model.ts'
import type { Reads } from '../query/reads.ts'
import type { Scope } from '../query/scope.ts'
import { compile } from '../store/compile.ts'
import { EDGES, type Layout } from '../store/layout.ts'
import type { Row, Transaction } from '../store/store.ts'
import { mediaKindOf } from './filetypes.ts'
import { changeRow } from './records.ts'

/** Where uploaded files go: a media attribute of a document. */
export interface Place {
  readonly type: ContentType
  readonly attribute: MediaAttribute
  /** documentId, or numeric id of a version. */
  readonly id: string
}

/** The place that the fields of an upload name; null when they name none. */
export function parsePlace(model: Model, field: (name: string) => string | undefined): Place | null {
  const [ref, refId, name] = [field('ref'), field('refId'), field('field')]
  if (ref === undefined && refId === undefined && name === undefined) return null
  if (!ref || !refId || !name) throw errors.invalid('ref, refId and field are given together or not at all')
  const type = model.types.get(ref)
  if (!type?.generated) throw errors.invalid(`ref names no content-type: ${ref}`)
  const attribute = type.attributes.get(name)
  if (attribute?.kind !== 'media') throw errors.invalid(`field names no media attribute of ${ref}: ${name}`)
  return { type, attribute, id: refId }
}

/** Refuses a caller who may not change the place, before anything is stored. */
export function checkPlace({ type, attribute }: Place, scope: Scope): void {
  const fields = scope.rule(type.uid, 'update')?.fields
  if (!scope.may(type.uid, 'update') || (fields && !fields.includes(attribute.name))) throw errors.forbidden()
}

/** Refuses files of a kind that the place does not take. */
export function checkKinds({ attribute }: Place, files: readonly { name: string; mime: string }[]): void {
  const wrong = files.find(({ mime }) => !attribute.allowedTypes.includes(mediaKindOf(mime)))
  if (wrong) {
    throw errors.invalidValues([
      {
        path: [attribute.name],
        message: `${attribute.name} takes ${attribute.allowedTypes.join(', ')}, not ${wrong.name} (${wrong.mime})`,
      },
    ])
  }
}

/**
 * Adds files to the end of a list, or puts the last of them in a single place. A draft named by its numeric id is
 * changed alone; a document, or its published version, in both versions.
 */
export async function attachFiles(
  transaction: Transaction,
  layout: Layout,
  reads: Reads,
  place: Place,
  documentIds: readonly string[],
  scope: Scope,
): Promise<void> {
  const { type, attribute } = place
  const rows = await rowsAt(transaction, layout.model, place)
  const allowed = reads.ruleOf(type, scope, 'update')
  const relation = layout.relationId({ type: type.uid, component: null, attribute: attribute.name })
  for (const row of rows) {
    const status = row.published === 1 ? 'published' : 'draft'
    const version = { documentId: String(row.document_id), locale: String(row.locale), status } as const
    if (type.draftAndPublish && row.published === 1 && !scope.may(type.uid, 'publish'))
      throw errors.forbidden()
    if (allowed && !(await allowed(transaction, version))) throw errors.forbidden()
    await changeRow(transaction, type, row, {}, scope.principal)
    await addEdges(transaction, attribute, relation, Number(row.id), documentIds)
  }
  transaction.touch(EDGES)
}

/** The version rows that a place means; its document is locked against other writers. */
async function rowsAt(transaction: Transaction, model: Model, place: Place): Promise<readonly Row[]> {
  const { type, attribute, id } = place
  const table = sql.table(type.table)
  const unknown = () => errors.invalid(`refId names no document of ${type.uid}: ${id}`)
  const numeric = /^\d{1,15}$/.test(id)
  const [named] = await all(
    transaction,
    sql`select document_id, locale, published from ${table}
      where ${numeric ? sql`id = ${Number(id)}` : sql`document_id = ${id}`} limit 1`,
  )
  if (!named) throw unknown()
  await transaction.lock([String(named.document_id)])
  const draftOnly = numeric && named.published === 0
  // What is not localized has one value in all locales.
  const locale =
    !type.localized || !attribute.localized ? null : numeric ? named.locale : model.locales.default
  const rows = await all(
    transaction,
    sql`select * from ${table} where document_id = ${named.document_id}
      ${draftOnly ? sql`and published = 0` : sql``} ${locale === null ? sql`` : sql`and locale = ${locale}`}`,
  )
  if (rows.length === 0) throw unknown()
  return rows
}

async function addEdges(
  transaction: Transaction,
  attribute: MediaAttribute,
  relation: number,
  source: number,
  documentIds: readonly string[],
): Promise<void> {
  const edges = sql.table(EDGES)
  const own = sql`relation = ${relation} and source = ${source} and entry = 0`
  if (!attribute.multiple) await run(transaction, sql`delete from ${edges} where ${own}`)
  const [last] = await all(transaction, sql`select max(position) as position from ${edges} where ${own}`)
  const files = attribute.multiple ? documentIds : documentIds.slice(-1)
  for (const [index, target] of files.entries()) {
    const position = Number(last?.position ?? 0) + index + 1
    await run(
      transaction,
      sql`insert into ${edges} (relation, source, entry, target, target_type, position, inverse_position)
        values (${relation}, ${source}, 0, ${target}, null, ${position}, 0)`,
    )
  }
}

const all = (transaction: Transaction, query: RawBuilder<unknown>) =>
  transaction.all(compile(transaction.engine, query))
const run = (transaction: Transaction, query: RawBuilder<unknown>) =>
  transaction.run(compile(transaction.engine, query))
