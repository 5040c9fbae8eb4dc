/**
 * How often a statement visits the rows that it reaches through relations. A row with several paths to it is visited once
 * for each path, and a to-many relation that starts there multiplies the visits: filters evaluate such relations as lists
 * that are made once (`reverse-lookup.ts`).
 */
import { type Model, type RelationAttribute, typeOf } from '../model/model.ts'
import type { Condition, EdgeStep, Step } from './query-tree.ts'

/** A few rows are visited, some or all of them once, or each row once for every path to it. */
export type Visits = 'few' | 'some' | 'all' | 'perPath'

/** How often the rows at the end of a relation are visited, given how often those at its start are. */
export function visitsAfter(model: Model, step: EdgeStep, visits: Visits): Visits {
  if (visits === 'few') return leadsToOneRow(model, step) ? 'few' : 'some'
  return isReachedFromOneRow(model, step) ? visits : 'perPath'
}

/** The same for relations to documents of any type. */
export const visitsAfterMany = (visits: Visits): Visits => (visits === 'few' ? 'some' : 'perPath')

/** Whether a condition on the rows at the end of a step would visit them, or rows beyond them, by paths that multiply. */
export function multipliesVisits(model: Model, step: Step, visits: Visits, where: Condition): boolean {
  if (step.kind !== 'edges') return false
  if (visits === 'perPath') return leadsToMany(model, step)
  return visitsAfter(model, step, visits) === 'perPath' && followsMany(model, where)
}

/** Whether a condition follows a to-many relation. */
function followsMany(model: Model, node: Condition): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.all.some((part) => followsMany(model, part))
    case 'not':
      return followsMany(model, node.of)
    case 'through':
      return (
        (node.step.kind === 'edges' && !leadsToOneRow(model, node.step)) || followsMany(model, node.where)
      )
    default:
      return false
  }
}

/** Whether a step is a to-many relation. */
export const leadsToMany = (model: Model, step: Step): boolean =>
  step.kind === 'edges' && !leadsToOneRow(model, step)

/** Whether a relation leads from its owner to at most one document. */
export const leadsToOne = (model: Model, step: EdgeStep): boolean => relationOf(model, step)?.many === false

/** The attribute that owns a relation; null for media, and in components, of which a document may have several entries. */
function relationOf(
  model: Model,
  { relation: { type, component, attribute: name } }: EdgeStep,
): RelationAttribute | null {
  const attribute = component === null ? typeOf(model, type).attributes.get(name) : undefined
  return attribute?.kind === 'relation' ? attribute : null
}

/** Whether a step leads to at most one row. */
const leadsToOneRow = (model: Model, step: EdgeStep) =>
  step.direction === 'forward' ? leadsToOne(model, step) : relationOf(model, step)?.exclusive === true

/** Whether a step leads to each row from at most one row. */
const isReachedFromOneRow = (model: Model, step: EdgeStep) =>
  step.direction === 'forward' ? relationOf(model, step)?.exclusive === true : leadsToOne(model, step)
