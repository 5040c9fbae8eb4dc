/** Finds what a change would do to the content of the database. Reads only. */
import { type Attribute, holdsEntries, ownsEdges } from '../../../model/model.ts'
import { type Sql, sql } from '../../sql.ts'
import { columnOf, EDGES } from '../../tables/layout.ts'
import type { Change, MatchedShape, MatchedType } from '../plan/change.ts'
import { matchAttributes } from '../plan/match-models.ts'
import type { ChangeImpact, Effect } from '../plan/migration-plan.ts'
import { type AffectedRows, findRows, NO_ROWS } from './affected-rows.ts'
import { findEdges, findSurplusEdges } from './inspect-edges.ts'
import type { EntryImpacts } from './inspect-entries.ts'
import { findInvalidValues, findLossyConversions } from './inspect-values.ts'
import { hasColumn, type InspectionContext, isFilled, relationIdsOf } from './inspection-context.ts'
import { findSharedValues, hasPublishedVersion } from './shared-values.ts'

export async function inspectChange(
  context: InspectionContext,
  change: Change,
  entries: EntryImpacts,
): Promise<ChangeImpact> {
  const { read } = context
  const impactOnValues = async (
    on: MatchedShape,
    effect: Effect,
    find: (on: MatchedType) => Promise<AffectedRows>,
  ) =>
    on.kind === 'component'
      ? noticeIfAny(entries.of(change, 'invalid'), entries.of(change, 'affected'))
      : impactIfAny(effect)(await find(on), await allRows(context, on))

  switch (change.kind) {
    case 'addType':
    case 'addComponent':
      return impact('safe', NO_ROWS)
    case 'dropComponent':
      return impact('empty', NO_ROWS)
    case 'dropType':
      return dropImpact(await findRows(read, change.type.table, sql`1 = 1`))
    case 'dropAttribute':
      return dropImpact(await findContent(context, change, change.attribute, entries))
    case 'replaceAttribute':
      return dropImpact(await findContent(context, change, change.from, entries))
    case 'convertValues':
      return conversionImpact(context, change, entries)
    case 'narrowEntries': {
      const all =
        change.on.kind === 'type' ? await allRows(context, change.on) : entries.of(change, 'affected')
      return lossyIfAny(entries.of(change, 'lost'), all)
    }
    case 'narrowEdges': {
      const surplus = await findSurplusEdges(context, change.on, change.from, change.to)
      return lossyIfAny(surplus, surplus)
    }
    case 'makeUnique':
      return impactOnValues(change.on, 'blocked', (on) => findSharedValues(read, on, change.from, change.to))
    case 'require':
      return impactOnValues(change.on, 'notice', (on) =>
        findMissingValues(context, on, change.from, change.to),
      )
    case 'tightenRules':
      return impactOnValues(change.on, 'notice', (on) => findInvalidValues(read, on, change.from, change.to))
    case 'shareLocales':
      return change.on.kind === 'component'
        ? impact('safe', NO_ROWS)
        : noticeIfAny(
            await findDifferingLocales(context, change.on, change.from),
            await allRows(context, change.on),
          )
    case 'unlocalize': {
      const isOtherLocale = sql`locale <> ${context.transition.next.locales.default}`
      return lossyIfAny(
        await findRows(read, change.on.previous.table, isOtherLocale),
        await allRows(context, change.on),
      )
    }
    case 'dropDrafts':
      return dropDraftsImpact(context, change.on)
    case 'hideChanges': {
      const modified = await findModifiedDrafts(context, change.on)
      return lossyIfAny(modified, modified)
    }
    case 'makeSingle': {
      const all = await allRows(context, change.on)
      return impact(all.affected > 1 ? 'notice' : 'safe', all)
    }
    default:
      return impact(
        'safe',
        change.on.kind === 'type' ? await allRows(context, change.on) : entries.of(change, 'affected'),
      )
  }
}

const impact = (effect: Effect, found: AffectedRows, rows = found.rows): ChangeImpact => ({
  effect,
  ...found,
  rows,
})
const impactIfAny = (effect: Effect) => (found: AffectedRows, all: AffectedRows) =>
  impact(found.rows > 0 ? effect : 'safe', found, all.rows)
const lossyIfAny = impactIfAny('lossy')
const noticeIfAny = impactIfAny('notice')

const dropImpact = (found: AffectedRows) => impact(found.rows > 0 ? 'lossy' : 'empty', found)

const allRows = ({ read }: InspectionContext, { previous }: MatchedType) =>
  findRows(read, previous.table, sql`1 = 1`)

/** The content of an attribute that is dropped or replaced. */
async function findContent(
  context: InspectionContext,
  change: Extract<Change, { kind: 'dropAttribute' | 'replaceAttribute' }>,
  attribute: Attribute,
  entries: EntryImpacts,
): Promise<AffectedRows> {
  const { on } = change
  if (!hasColumn(attribute)) return ownsEdges(attribute) ? findEdges(context, on, attribute) : NO_ROWS
  if (on.kind === 'component') return entries.of(change, 'lost')
  return findRows(context.read, on.previous.table, isFilled(context.dialect, attribute))
}

async function conversionImpact(
  { read }: InspectionContext,
  change: Extract<Change, { kind: 'convertValues' }>,
  entries: EntryImpacts,
): Promise<ChangeImpact> {
  const { on, from, to } = change
  if (on.kind === 'component') return lossyIfAny(entries.of(change, 'lost'), entries.of(change, 'affected'))
  const { values, lost } = await findLossyConversions(read, on, from, to)
  const shared = from.unique && to.unique ? await findSharedValues(read, on, from, to) : NO_ROWS
  if (shared.rows > 0) return impact('blocked', shared, values)
  return impact(lost.rows > 0 ? 'lossy' : 'safe', lost, values)
}

/** Documents that are only drafts become public; their unique values may conflict with published ones. */
async function dropDraftsImpact(context: InspectionContext, on: MatchedType): Promise<ChangeImpact> {
  const all = await allRows(context, on)
  for (const { previous, next } of matchAttributes(on).matched) {
    if (previous.kind !== 'scalar' || next.kind !== 'scalar') continue
    // An attribute that becomes unique or is converted reports conflicts itself.
    if (!previous.unique || !next.unique || previous.type !== next.type) continue
    const shared = await findSharedValues(context.read, on, previous, next)
    if (shared.rows > 0) return impact('blocked', shared, all.rows)
  }
  const { table } = on.previous
  const isOnlyDraft = sql`published = 0 AND NOT ${hasPublishedVersion(table)}`
  return lossyIfAny(await findRows(context.read, table, isOnlyDraft), all)
}

/** Drafts that are newer than their published version. */
function findModifiedDrafts({ read }: InspectionContext, { previous }: MatchedType): Promise<AffectedRows> {
  const table = sql.table(previous.table)
  return findRows(
    read,
    previous.table,
    sql`published = 0 AND EXISTS (SELECT 1 FROM ${table} AS live WHERE live.published = 1
      AND live.document_id = ${table}.document_id AND live.locale = ${table}.locale
      AND live.updated_at < ${table}.updated_at)`,
  )
}

/** Published rows without a value; drafts may be incomplete. */
function findMissingValues(
  context: InspectionContext,
  on: MatchedType,
  from: Attribute,
  to: Attribute,
): Promise<AffectedRows> {
  const isKept =
    on.previous.attributes.has(from.name) && (hasColumn(from) ? hasColumn(to) : from.kind === to.kind)
  const isMissing = isKept ? hasNoValue(context, on, from) : sql`1 = 1`
  return findRows(context.read, on.previous.table, sql`published = 1 AND ${isMissing}`)
}

function hasNoValue(context: InspectionContext, on: MatchedType, attribute: Attribute): Sql {
  if (attribute.kind === 'scalar' || holdsEntries(attribute))
    return sql`NOT ${isFilled(context.dialect, attribute)}`
  const [relation] = relationIdsOf(context, on, attribute)
  if (relation === undefined) return sql`1 = 0`
  return sql`NOT EXISTS (SELECT 1 FROM ${sql.table(EDGES)} AS edge
    WHERE edge.relation = ${relation} AND edge.source = ${sql.table(on.previous.table)}.id AND edge.entry = 0)`
}

/** Documents whose locales do not all have the same value. */
async function findDifferingLocales(
  { read }: InspectionContext,
  { previous }: MatchedType,
  attribute: Attribute,
): Promise<AffectedRows> {
  if (!hasColumn(attribute)) return NO_ROWS
  const value = sql`coalesce(CAST(${sql.id(columnOf(attribute.name))} AS text), '')`
  return findRows(
    read,
    previous.table,
    sql`document_id IN (SELECT document_id FROM ${sql.table(previous.table)}
      GROUP BY document_id, published HAVING count(DISTINCT ${value}) > 1)`,
  )
}
