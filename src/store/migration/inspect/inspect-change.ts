/** Looks into the database for what a change would do to the content there. Reads only. */
import type { Attribute } from '../../../model/model.ts'
import { type Sql, sql } from '../../sql.ts'
import { columnOf, EDGES } from '../../tables/layout.ts'
import { type Change, isList, type KeptType, ownsEdges } from '../plan/change.ts'
import { attributesOf } from '../plan/match-models.ts'
import type { Effect, Finding } from '../plan/migration-plan.ts'
import { type EntryTallies, noTallies } from './inspect-entries.ts'
import { findUnconverted, findUnfit } from './inspect-values.ts'
import {
  type Found,
  type Ground,
  hasColumn,
  isFilled,
  NOTHING,
  relationsOf,
  rowsWhere,
} from './inspection-context.ts'
import { findShared, isShown } from './shared-values.ts'

/** What a change is about and what it would cost. `tallies` tells of component entries, which were looked at before. */
export async function inspect(
  ground: Ground,
  change: Change,
  tallies: EntryTallies = noTallies,
): Promise<Finding> {
  switch (change.kind) {
    case 'addType':
    case 'addComponent':
      return finding('safe', NOTHING)
    case 'dropComponent':
      return finding('empty', NOTHING)
    case 'dropType': {
      const all = await rowsWhere(ground, change.type.table, sql`1 = 1`)
      return finding(all.rows > 0 ? 'lossy' : 'empty', all)
    }
    case 'dropAttribute':
      return dropped(await contentOf(ground, change, change.attribute, tallies))
    case 'replaceAttribute':
      return dropped(await contentOf(ground, change, change.from, tallies))
    case 'convertValues':
      return converted(ground, change, tallies)
    case 'narrowEntries':
      return change.on.kind === 'type'
        ? lossyIf(tallies.of(change, 'lost'), await rowsOf(ground, change.on))
        : lossyIf(tallies.of(change, 'lost'), tallies.of(change, 'touched'))
    case 'narrowEdges':
      return narrowed(ground, change)
    case 'makeUnique':
      return change.on.kind === 'component'
        ? noticeIf(tallies.of(change, 'inTheWay'), tallies.of(change, 'touched'))
        : unique(ground, change.on, change)
    case 'require':
      return required(ground, change, tallies)
    case 'tightenRules':
      return change.on.kind === 'component'
        ? noticeIf(tallies.of(change, 'inTheWay'), tallies.of(change, 'touched'))
        : noticeIf(
            await findUnfit(ground, change.on, change.from, change.to),
            await rowsOf(ground, change.on),
          )
    case 'shareLocales':
      return change.on.kind === 'component'
        ? finding('safe', NOTHING)
        : noticeIf(await differing(ground, change.on, change.from), await rowsOf(ground, change.on))
    case 'unlocalize':
      return lossyIf(
        await rowsWhere(
          ground,
          change.on.former.table,
          sql`locale <> ${ground.transition.next.locales.default}`,
        ),
        await rowsOf(ground, change.on),
      )
    case 'dropDrafts':
      return draftsDropped(ground, change.on)
    case 'hideChanges': {
      const changed = await modified(ground, change.on)
      return finding(changed.rows > 0 ? 'lossy' : 'safe', changed)
    }
    case 'makeSingle': {
      const all = await rowsOf(ground, change.on)
      return finding(all.affected > 1 ? 'notice' : 'safe', all)
    }
    default:
      return finding(
        'safe',
        change.on.kind === 'type' ? await rowsOf(ground, change.on) : tallies.of(change, 'touched'),
      )
  }
}

const finding = (effect: Effect, found: Found, rows = found.rows): Finding => ({ effect, ...found, rows })
const dropped = (found: Found) => finding(found.rows > 0 ? 'lossy' : 'empty', found)
const lossyIf = (lost: Found, all: Found) => finding(lost.rows > 0 ? 'lossy' : 'safe', lost, all.rows)
const noticeIf = (found: Found, all: Found) => finding(found.rows > 0 ? 'notice' : 'safe', found, all.rows)

const rowsOf = (ground: Ground, { former }: KeptType) => rowsWhere(ground, former.table, sql`1 = 1`)

/** What an attribute holds that goes. */
async function contentOf(
  ground: Ground,
  change: Extract<Change, { kind: 'dropAttribute' | 'replaceAttribute' }>,
  attribute: Attribute,
  tallies: EntryTallies,
): Promise<Found> {
  const { on } = change
  if (!hasColumn(attribute)) return ownsEdges(attribute) ? edgesOf(ground, change, attribute) : NOTHING
  if (on.kind === 'component') return tallies.of(change, 'lost')
  return rowsWhere(ground, on.former.table, isFilled(ground.engine, attribute))
}

/** Edges count as rows; documents are those they start from, where that is one table. */
async function edgesOf(
  ground: Ground,
  { on }: Extract<Change, { kind: 'dropAttribute' | 'replaceAttribute' }>,
  attribute: Attribute,
): Promise<Found> {
  const relations = relationsOf(ground, on, attribute)
  if (relations.length === 0) return NOTHING
  const among = sql`relation IN (${sql.join(relations.map((id) => sql.lit(id)))})`
  const [counts] = await ground.ask(
    sql`SELECT count(*) AS rows, count(DISTINCT source) AS documents FROM ${sql.table(EDGES)} WHERE ${among}`,
  )
  const found = { rows: Number(counts?.rows), affected: Number(counts?.documents), documents: [] }
  if (on.kind === 'component' || found.rows === 0) return found
  const owners = sql`id IN (SELECT source FROM ${sql.table(EDGES)} WHERE ${among})`
  const { affected, documents } = await rowsWhere(ground, on.former.table, owners)
  return { ...found, affected, documents }
}

async function converted(
  ground: Ground,
  change: Extract<Change, { kind: 'convertValues' }>,
  tallies: EntryTallies,
): Promise<Finding> {
  if (change.on.kind === 'component')
    return lossyIf(tallies.of(change, 'lost'), tallies.of(change, 'touched'))
  const { on, from, to } = change
  const { all, lost } = await findUnconverted(ground, on, from, to)
  const same = from.unique && to.unique ? await findShared(ground, on, from, to) : NOTHING
  if (same.rows > 0) return finding('blocked', same, all)
  return finding(lost.rows > 0 ? 'lossy' : 'safe', lost, all)
}

/** Rows with more than one edge where one is allowed, or with an edge to what another owner has too. */
async function narrowed(
  ground: Ground,
  { on, from, to }: Extract<Change, { kind: 'narrowEdges' }>,
): Promise<Finding> {
  const relations = relationsOf(ground, on, from)
  const extra = await Promise.all(
    relations.map(async (relation) => {
      const [row] = await ground.ask(
        sql`SELECT count(*) AS rows, count(DISTINCT source) AS sources FROM ${sql.table(EDGES)} AS edge
          WHERE relation = ${relation} AND ${surplus(relation, to, on.kind === 'type' ? on.former.table : null)}`,
      )
      return { rows: Number(row?.rows), sources: Number(row?.sources) }
    }),
  )
  const rows = extra.reduce((sum, one) => sum + one.rows, 0)
  const [relation] = relations
  if (rows === 0 || relation === undefined) return finding('safe', NOTHING)
  if (on.kind === 'component') {
    return finding('lossy', {
      rows,
      affected: extra.reduce((sum, one) => sum + one.sources, 0),
      documents: [],
    })
  }
  const owners = sql`id IN (SELECT source FROM ${sql.table(EDGES)} AS edge
    WHERE relation = ${relation} AND ${surplus(relation, to, on.former.table)})`
  return finding('lossy', { ...(await rowsWhere(ground, on.former.table, owners)), rows })
}

/** Whether `edge` is one too many for its relation: not the first of its row, or not the first to its target. */
export function surplus(
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
  ground: Ground,
  on: KeptType,
  { from, to }: Extract<Change, { kind: 'makeUnique' | 'allowDuplicates' }>,
): Promise<Finding> {
  const all = await rowsOf(ground, on)
  const same = await findShared(ground, on, from, to)
  return finding(same.rows > 0 ? 'blocked' : 'safe', same, all.rows)
}

/** What is only a draft becomes public; values that must be unique may meet there. */
async function draftsDropped(ground: Ground, on: KeptType): Promise<Finding> {
  const all = await rowsOf(ground, on)
  for (const { former, next } of attributesOf(on).kept) {
    if (former.kind !== 'scalar' || next.kind !== 'scalar') continue
    // What becomes unique or is converted says so itself.
    if (!former.unique || !next.unique || former.type !== next.type) continue
    const same = await findShared(ground, on, former, next)
    if (same.rows > 0) return finding('blocked', same, all.rows)
  }
  const { table } = on.former
  return lossyIf(await rowsWhere(ground, table, sql`published = 0 AND NOT ${isShown(table)}`), all)
}

/** Drafts that are later than what is published of them. */
function modified(ground: Ground, { former }: KeptType): Promise<Found> {
  const table = sql.table(former.table)
  return rowsWhere(
    ground,
    former.table,
    sql`published = 0 AND EXISTS (SELECT 1 FROM ${table} AS shown WHERE shown.published = 1
      AND shown.document_id = ${table}.document_id AND shown.locale = ${table}.locale
      AND shown.updated_at < ${table}.updated_at)`,
  )
}

/** Rows without a value. Drafts may be incomplete, so what counts is published. */
async function required(
  ground: Ground,
  change: Extract<Change, { kind: 'require' }>,
  tallies: EntryTallies,
): Promise<Finding> {
  const { on, from, to } = change
  if (on.kind === 'component') return noticeIf(tallies.of(change, 'inTheWay'), tallies.of(change, 'touched'))
  const all = await rowsOf(ground, on)
  const isKept =
    on.former.attributes.has(from.name) && (hasColumn(from) ? hasColumn(to) : from.kind === to.kind)
  const lacking = await rowsWhere(
    ground,
    on.former.table,
    sql`published = 1 AND ${isKept ? isLacking(ground, on, from) : sql`1 = 1`}`,
  )
  return noticeIf(lacking, all)
}

function isLacking(ground: Ground, on: KeptType, attribute: Attribute): Sql {
  if (attribute.kind === 'scalar' || isList(attribute)) return sql`NOT ${isFilled(ground.engine, attribute)}`
  const [relation] = relationsOf(ground, on, attribute)
  if (relation === undefined) return sql`1 = 0`
  return sql`NOT EXISTS (SELECT 1 FROM ${sql.table(EDGES)} AS edge
    WHERE edge.relation = ${relation} AND edge.source = ${sql.table(on.former.table)}.id AND edge.entry = 0)`
}

/** Documents whose locales do not all have the same value. */
async function differing(ground: Ground, { former }: KeptType, attribute: Attribute): Promise<Found> {
  if (!hasColumn(attribute)) return NOTHING
  const value = sql`coalesce(CAST(${sql.id(columnOf(attribute.name))} AS text), '')`
  return rowsWhere(
    ground,
    former.table,
    sql`document_id IN (SELECT document_id FROM ${sql.table(former.table)}
      GROUP BY document_id, published HAVING count(DISTINCT ${value}) > 1)`,
  )
}
