/** Looks into the database for what a change would do to the content there. Reads only. */
import type { Attribute } from '../../../model/model.ts'
import { type Sql, sql } from '../../sql.ts'
import { columnOf, EDGES } from '../../tables/layout.ts'
import { type Change, holdsEntries, type MatchedType, ownsEdges } from '../plan/change.ts'
import { matchAttributes } from '../plan/match-models.ts'
import type { ChangeImpact, Effect } from '../plan/migration-plan.ts'
import { type EntryImpacts, NO_ENTRY_IMPACTS } from './inspect-entries.ts'
import { findInvalidValues, findLossyConversions } from './inspect-values.ts'
import {
  type AffectedRows,
  findRows,
  hasColumn,
  type InspectionContext,
  isFilledCondition,
  NO_ROWS,
  relationIdsOf,
} from './inspection-context.ts'
import { findSharedValues, hasPublishedVersion } from './shared-values.ts'

/** What a change is about and what it would cost. `entryImpacts` tells of component entries, which were looked at before. */
export async function inspectChange(
  context: InspectionContext,
  change: Change,
  entryImpacts: EntryImpacts = NO_ENTRY_IMPACTS,
): Promise<ChangeImpact> {
  switch (change.kind) {
    case 'addType':
    case 'addComponent':
      return impact('safe', NO_ROWS)
    case 'dropComponent':
      return impact('empty', NO_ROWS)
    case 'dropType': {
      const all = await findRows(context, change.type.table, sql`1 = 1`)
      return impact(all.rows > 0 ? 'lossy' : 'empty', all)
    }
    case 'dropAttribute':
      return dropped(await contentOf(context, change, change.attribute, entryImpacts))
    case 'replaceAttribute':
      return dropped(await contentOf(context, change, change.from, entryImpacts))
    case 'convertValues':
      return converted(context, change, entryImpacts)
    case 'narrowEntries':
      return change.on.kind === 'type'
        ? lossyIf(entryImpacts.of(change, 'lost'), await rowsOf(context, change.on))
        : lossyIf(entryImpacts.of(change, 'lost'), entryImpacts.of(change, 'touched'))
    case 'narrowEdges':
      return narrowed(context, change)
    case 'makeUnique':
      return change.on.kind === 'component'
        ? noticeIf(entryImpacts.of(change, 'inTheWay'), entryImpacts.of(change, 'touched'))
        : unique(context, change.on, change)
    case 'require':
      return required(context, change, entryImpacts)
    case 'tightenRules':
      return change.on.kind === 'component'
        ? noticeIf(entryImpacts.of(change, 'inTheWay'), entryImpacts.of(change, 'touched'))
        : noticeIf(
            await findInvalidValues(context, change.on, change.from, change.to),
            await rowsOf(context, change.on),
          )
    case 'shareLocales':
      return change.on.kind === 'component'
        ? impact('safe', NO_ROWS)
        : noticeIf(await differing(context, change.on, change.from), await rowsOf(context, change.on))
    case 'unlocalize':
      return lossyIf(
        await findRows(
          context,
          change.on.previous.table,
          sql`locale <> ${context.transition.next.locales.default}`,
        ),
        await rowsOf(context, change.on),
      )
    case 'dropDrafts':
      return draftsDropped(context, change.on)
    case 'hideChanges': {
      const changed = await modified(context, change.on)
      return impact(changed.rows > 0 ? 'lossy' : 'safe', changed)
    }
    case 'makeSingle': {
      const all = await rowsOf(context, change.on)
      return impact(all.affected > 1 ? 'notice' : 'safe', all)
    }
    default:
      return impact(
        'safe',
        change.on.kind === 'type' ? await rowsOf(context, change.on) : entryImpacts.of(change, 'touched'),
      )
  }
}

const impact = (effect: Effect, found: AffectedRows, rows = found.rows): ChangeImpact => ({
  effect,
  ...found,
  rows,
})
const dropped = (found: AffectedRows) => impact(found.rows > 0 ? 'lossy' : 'empty', found)
const lossyIf = (lost: AffectedRows, all: AffectedRows) =>
  impact(lost.rows > 0 ? 'lossy' : 'safe', lost, all.rows)
const noticeIf = (found: AffectedRows, all: AffectedRows) =>
  impact(found.rows > 0 ? 'notice' : 'safe', found, all.rows)

const rowsOf = (context: InspectionContext, { previous }: MatchedType) =>
  findRows(context, previous.table, sql`1 = 1`)

/** What an attribute holds that goes. */
async function contentOf(
  context: InspectionContext,
  change: Extract<Change, { kind: 'dropAttribute' | 'replaceAttribute' }>,
  attribute: Attribute,
  entryImpacts: EntryImpacts,
): Promise<AffectedRows> {
  const { on } = change
  if (!hasColumn(attribute)) return ownsEdges(attribute) ? edgesOf(context, change, attribute) : NO_ROWS
  if (on.kind === 'component') return entryImpacts.of(change, 'lost')
  return findRows(context, on.previous.table, isFilledCondition(context.dialect, attribute))
}

/** Edges count as rows; documents are those they start from, where that is one table. */
async function edgesOf(
  context: InspectionContext,
  { on }: Extract<Change, { kind: 'dropAttribute' | 'replaceAttribute' }>,
  attribute: Attribute,
): Promise<AffectedRows> {
  const relations = relationIdsOf(context, on, attribute)
  if (relations.length === 0) return NO_ROWS
  const among = sql`relation IN (${sql.join(relations.map((id) => sql.lit(id)))})`
  const [counts] = await context.read(
    sql`SELECT count(*) AS rows, count(DISTINCT source) AS documents FROM ${sql.table(EDGES)} WHERE ${among}`,
  )
  const found = { rows: Number(counts?.rows), affected: Number(counts?.documents), documents: [] }
  if (on.kind === 'component' || found.rows === 0) return found
  const owners = sql`id IN (SELECT source FROM ${sql.table(EDGES)} WHERE ${among})`
  const { affected, documents } = await findRows(context, on.previous.table, owners)
  return { ...found, affected, documents }
}

async function converted(
  context: InspectionContext,
  change: Extract<Change, { kind: 'convertValues' }>,
  entryImpacts: EntryImpacts,
): Promise<ChangeImpact> {
  if (change.on.kind === 'component')
    return lossyIf(entryImpacts.of(change, 'lost'), entryImpacts.of(change, 'touched'))
  const { on, from, to } = change
  const { all, lost } = await findLossyConversions(context, on, from, to)
  const same = from.unique && to.unique ? await findSharedValues(context, on, from, to) : NO_ROWS
  if (same.rows > 0) return impact('blocked', same, all)
  return impact(lost.rows > 0 ? 'lossy' : 'safe', lost, all)
}

/** Rows with more than one edge where one is allowed, or with an edge to what another owner has too. */
async function narrowed(
  context: InspectionContext,
  { on, from, to }: Extract<Change, { kind: 'narrowEdges' }>,
): Promise<ChangeImpact> {
  const relations = relationIdsOf(context, on, from)
  const extra = await Promise.all(
    relations.map(async (relation) => {
      const [row] = await context.read(
        sql`SELECT count(*) AS rows, count(DISTINCT source) AS sources FROM ${sql.table(EDGES)} AS edge
          WHERE relation = ${relation} AND ${isSurplusEdge(relation, to, on.kind === 'type' ? on.previous.table : null)}`,
      )
      return { rows: Number(row?.rows), sources: Number(row?.sources) }
    }),
  )
  const rows = extra.reduce((sum, one) => sum + one.rows, 0)
  const [relation] = relations
  if (rows === 0 || relation === undefined) return impact('safe', NO_ROWS)
  if (on.kind === 'component') {
    return impact('lossy', {
      rows,
      affected: extra.reduce((sum, one) => sum + one.sources, 0),
      documents: [],
    })
  }
  const owners = sql`id IN (SELECT source FROM ${sql.table(EDGES)} AS edge
    WHERE relation = ${relation} AND ${isSurplusEdge(relation, to, on.previous.table)})`
  return impact('lossy', { ...(await findRows(context, on.previous.table, owners)), rows })
}

/** Whether `edge` is one too many for its relation: not the first of its row, or not the first to its target. */
export function isSurplusEdge(
  relation: number,
  to: Extract<Change, { kind: 'narrowEdges' }>['to'],
  table: string | null,
): Sql {
  const edges = sql.table(EDGES)
  const tooMany: Sql[] = []
  if (to.kind === 'media' || !to.many) {
    tooMany.push(sql`EXISTS (SELECT 1 FROM ${edges} AS other WHERE other.relation = ${relation}
      AND other.source = edge.source AND other.entry = edge.entry
      AND (other.position < edge.position OR (other.position = edge.position AND other.target < edge.target)))`)
  }
  if (to.kind === 'relation' && to.exclusive && table !== null) {
    tooMany.push(sql`EXISTS (SELECT 1 FROM ${edges} AS other
      JOIN ${sql.table(table)} AS theirs ON theirs.id = other.source
      JOIN ${sql.table(table)} AS ours ON ours.id = edge.source
      WHERE other.relation = ${relation} AND other.target = edge.target
        AND theirs.published = ours.published AND theirs.locale = ours.locale
        AND (other.inverse_position < edge.inverse_position
          OR (other.inverse_position = edge.inverse_position AND other.source < edge.source)))`)
  }
  return sql`(${sql.join(tooMany, ' OR ')})`
}

async function unique(
  context: InspectionContext,
  on: MatchedType,
  { from, to }: Extract<Change, { kind: 'makeUnique' | 'allowDuplicates' }>,
): Promise<ChangeImpact> {
  const all = await rowsOf(context, on)
  const same = await findSharedValues(context, on, from, to)
  return impact(same.rows > 0 ? 'blocked' : 'safe', same, all.rows)
}

/** What is only a draft becomes public; values that must be unique may meet there. */
async function draftsDropped(context: InspectionContext, on: MatchedType): Promise<ChangeImpact> {
  const all = await rowsOf(context, on)
  for (const { previous, next } of matchAttributes(on).matched) {
    if (previous.kind !== 'scalar' || next.kind !== 'scalar') continue
    // What becomes unique or is converted says so itself.
    if (!previous.unique || !next.unique || previous.type !== next.type) continue
    const same = await findSharedValues(context, on, previous, next)
    if (same.rows > 0) return impact('blocked', same, all.rows)
  }
  const { table } = on.previous
  return lossyIf(
    await findRows(context, table, sql`published = 0 AND NOT ${hasPublishedVersion(table)}`),
    all,
  )
}

/** Drafts that are later than what is published of them. */
function modified(context: InspectionContext, { previous }: MatchedType): Promise<AffectedRows> {
  const table = sql.table(previous.table)
  return findRows(
    context,
    previous.table,
    sql`published = 0 AND EXISTS (SELECT 1 FROM ${table} AS shown WHERE shown.published = 1
      AND shown.document_id = ${table}.document_id AND shown.locale = ${table}.locale
      AND shown.updated_at < ${table}.updated_at)`,
  )
}

/** Rows without a value. Drafts may be incomplete, so what counts is published. */
async function required(
  context: InspectionContext,
  change: Extract<Change, { kind: 'require' }>,
  entryImpacts: EntryImpacts,
): Promise<ChangeImpact> {
  const { on, from, to } = change
  if (on.kind === 'component')
    return noticeIf(entryImpacts.of(change, 'inTheWay'), entryImpacts.of(change, 'touched'))
  const all = await rowsOf(context, on)
  const isKept =
    on.previous.attributes.has(from.name) && (hasColumn(from) ? hasColumn(to) : from.kind === to.kind)
  const lacking = await findRows(
    context,
    on.previous.table,
    sql`published = 1 AND ${isKept ? isLacking(context, on, from) : sql`1 = 1`}`,
  )
  return noticeIf(lacking, all)
}

function isLacking(context: InspectionContext, on: MatchedType, attribute: Attribute): Sql {
  if (attribute.kind === 'scalar' || holdsEntries(attribute))
    return sql`NOT ${isFilledCondition(context.dialect, attribute)}`
  const [relation] = relationIdsOf(context, on, attribute)
  if (relation === undefined) return sql`1 = 0`
  return sql`NOT EXISTS (SELECT 1 FROM ${sql.table(EDGES)} AS edge
    WHERE edge.relation = ${relation} AND edge.source = ${sql.table(on.previous.table)}.id AND edge.entry = 0)`
}

/** Documents whose locales do not all have the same value. */
async function differing(
  context: InspectionContext,
  { previous }: MatchedType,
  attribute: Attribute,
): Promise<AffectedRows> {
  if (!hasColumn(attribute)) return NO_ROWS
  const value = sql`coalesce(CAST(${sql.id(columnOf(attribute.name))} AS text), '')`
  return findRows(
    context,
    previous.table,
    sql`document_id IN (SELECT document_id FROM ${sql.table(previous.table)}
      GROUP BY document_id, published HAVING count(DISTINCT ${value}) > 1)`,
  )
}
