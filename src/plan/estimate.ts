/**
 * Estimates how many documents and component entries a response would contain, from the sizes of content-types and
 * relations. Each level of `populate` multiplies those of the level above. What cannot be known is assumed to be small, so
 * that a read that is cheap never looks expensive.
 */
import type { Multiplier } from '../errors.ts'
import { type Model, typeOf } from '../model/model.ts'
import type { SqlValue } from '../store/statement.ts'
import type { RelationKey } from '../store/tables/layout.ts'
import { fieldType } from './field-type.ts'
import type { Condition, EdgeStep, Populate, Query, Selection, Slot } from './query-tree.ts'

/** The number of rows of a content-type with a status, and of edges that start from such rows. */
export interface ContentCounts {
  rows(type: string, published: 0 | 1): number
  edges(relation: RelationKey, published: 0 | 1): number
}

export interface ReadEstimate {
  /** The documents and entries of the response, those that are populated included. */
  readonly rows: number
  /** The relation that multiplies them most; null if none does. */
  readonly multiplier: Multiplier | null
}

/** Documents or entries that a response contains, and where they are. */
interface Level {
  readonly rows: number
  /** The content-type of the documents, or of those that the entries belong to. */
  readonly type: string
  readonly path: string
  readonly parameter: string
  readonly multiplier: Multiplier | null
}

/** Estimates the response to a query with these values. */
export function estimateRead(
  query: Query,
  values: readonly SqlValue[],
  model: Model,
  counts: ContentCounts,
): ReadEstimate {
  const published = query.status === 'published' ? 1 : 0
  const statusOf = (type: string) => (typeOf(model, type).draftAndPublish ? published : 1)
  const rowsOf = (type: string) => counts.rows(type, statusOf(type))
  const edgesOf = (relation: RelationKey) => counts.edges(relation, statusOf(relation.type))
  const numberIn = (slot: Slot) => Number(values[slot.slot])

  let rows = 0
  let largest: Level | null = null
  const add = (level: Level) => {
    rows += level.rows
    if (!largest || level.rows > largest.rows) largest = level
    return level
  }

  const perForward = (relation: RelationKey) => ratio(edgesOf(relation), rowsOf(relation.type))

  /** Only one locale of the owners is shown, and all of them have edges. */
  const perBackward = (relation: RelationKey, type: string) => {
    const locales = typeOf(model, relation.type).localized ? model.locales.codes.length : 1
    return ratio(edgesOf(relation) / locales, rowsOf(type))
  }

  const perEdge = (step: EdgeStep, type: string) =>
    step.direction === 'forward' ? perForward(step.relation) : perBackward(step.relation, type)

  /** The level below another one, with `perDocument` documents for each document of that one. */
  function below(above: Level, name: string, type: string, perDocument: number): Level {
    const path = above.path === '' ? name : `${above.path}.${name}`
    const parameter = above.parameter === '' ? `populate[${name}]` : `${above.parameter}[populate][${name}]`
    const own = { path, parameter, perDocument }
    const multiplier = perDocument > (above.multiplier?.perDocument ?? 1) ? own : above.multiplier
    return add({ rows: above.rows * perDocument, type, path, parameter, multiplier })
  }

  function populated(above: Level, populate: Populate): void {
    const { name } = populate
    switch (populate.kind) {
      case 'related': {
        const { step, where, many, limit, select } = populate
        const related = step.kind === 'edges' ? perEdge(step, above.type) : 1
        const matching = expectedMatches(where, expectedMatches(step.visible, related))
        const most = many ? (limit ? numberIn(limit) : Number.POSITIVE_INFINITY) : 1
        selected(below(above, name, step.target, Math.min(matching, most)), select)
        return
      }
      case 'count':
        if (populate.step.kind === 'edges')
          below(above, name, populate.step.target, perEdge(populate.step, above.type))
        return
      case 'author':
        below(above, name, above.type, 1)
        return
      case 'component':
        selected(below(above, name, above.type, 1), populate.select)
        return
      case 'zone': {
        const entries = below(above, name, above.type, 1)
        for (const { component, select } of populate.of)
          selected(
            { ...entries, rows: share(entries, populate.of), parameter: on(entries, component) },
            select,
          )
        return
      }
      case 'morphCount':
        below(above, name, above.type, perForward(populate.relation))
        return
      case 'morph': {
        const related = perForward(populate.relation)
        const targets = below(above, name, above.type, populate.many ? related : Math.min(related, 1))
        for (const { type, select } of populate.of)
          selected(
            { ...targets, type, rows: share(targets, populate.of), parameter: on(targets, type) },
            select,
          )
        return
      }
      case 'usages':
        for (const { type, through, select } of populate.of) {
          const users = through.reduce((sum, relation) => sum + perBackward(relation, above.type), 0)
          selected(below(above, name, type, users), select)
        }
    }
  }

  const selected = (level: Level, { populate }: Selection) => {
    for (const one of populate) populated(level, one)
  }

  const { target } = query
  const most = 'limit' in target ? numberIn(target.limit) : 1
  const roots = Math.min(most, expectedMatches(query.where, rowsOf(query.type)))
  selected(add({ rows: roots, type: query.type, path: '', parameter: '', multiplier: null }), query.select)
  return { rows: Math.round(rows), multiplier: multiplierOf(largest) }
}

/** A read in its own function, because TypeScript does not see the assignments in closures. */
const multiplierOf = (level: Level | null) => level?.multiplier ?? null

/** Whether a selection can multiply the documents: it populates or counts more than components and to-one relations. */
export const populatesMany = ({ populate }: Selection): boolean => populate.some(isOrPopulatesMany)

function isOrPopulatesMany(populate: Populate): boolean {
  switch (populate.kind) {
    case 'related':
      return populate.many || populatesMany(populate.select)
    case 'component':
      return populatesMany(populate.select)
    case 'zone':
      return populate.of.some(({ select }) => populatesMany(select))
    case 'morph':
      return populate.many || populate.of.some(({ select }) => populatesMany(select))
    case 'author':
      return false
    case 'count':
    case 'morphCount':
    case 'usages':
      return true
  }
}

const ratio = (count: number, by: number) => (by === 0 ? 0 : count / by)

/** The entries or targets are of several kinds, in unknown proportions. */
const share = ({ rows }: Level, kinds: readonly unknown[]) => rows / kinds.length

const on = ({ parameter }: Level, kind: string) => `${parameter}[on][${kind}]`

/** Of the rows that are compared with a range or a part of a text, one in this number is expected to match. */
const ONE_IN = 10

/** How many of a number of rows match a condition, at a low estimate. */
function expectedMatches(node: Condition | null, rows: number): number {
  if (node === null) return rows
  switch (node.kind) {
    case 'compare':
    case 'text':
      if (node.op !== 'eq') return rows / ONE_IN
      return fieldType(node.field).hasFewValues ? rows / 2 : Math.min(rows, 1)
    case 'in':
      return fieldType(node.field).hasFewValues ? rows / 2 : Math.min(rows, node.values.length)
    case 'documentOfRow':
      return Math.min(rows, 1)
    case 'through':
      return rows / ONE_IN
    case 'and':
      return Math.min(rows, ...node.all.map((part) => expectedMatches(part, rows)))
    case 'or':
      return Math.min(
        rows,
        node.all.reduce((sum, part) => sum + expectedMatches(part, rows), 0),
      )
    case 'null':
    case 'not':
    case 'some':
    case 'publication':
    case 'unattached':
    case 'fileKind':
      return rows
  }
}
