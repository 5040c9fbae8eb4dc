/**
 * The related documents that the caller may not see. A client that sends a full list cannot have meant to remove what it
 * was never shown, so such documents stay where they are.
 */
import { type EdgeAttribute, FILE, type Model, typeOf } from '../../model/model.ts'
import type { Transaction } from '../../store/store.ts'
import type { WriteRequest } from '../contract.ts'
import type { EntryInput, ShapeInput } from '../input/body.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import type { Versions } from '../versions/version.ts'
import type { WriteContext } from '../write-context.ts'
import { isMany, targetTypeOf } from './edges.ts'
import { findTargets, type HiddenTargets, NONE_HIDDEN } from './targets.ts'
import { isVisible } from './visible-targets.ts'

/** A document at the end of a relation. */
export interface RelatedDocument {
  /** uid of its content-type. */
  readonly type: string
  readonly documentId: string
}

interface RuledWrite {
  readonly transaction: Transaction
  readonly request: Pick<WriteRequest, 'scope' | 'rules'>
  readonly blueprint: Pick<Blueprint, 'model'>
}

/** The hidden ones of some documents. */
export async function findHidden(
  { transaction, request, blueprint: { model } }: RuledWrite,
  related: Iterable<RelatedDocument>,
): Promise<HiddenTargets> {
  const { rules } = request
  if (!rules) return NONE_HIDDEN
  const references = [...related]
    .filter(({ type }) => model.types.has(type) && mayHide(model, request, type))
    .map(({ type, documentId }) => ({ type, name: { documentId }, path: [] }))
  if (references.length === 0) return NONE_HIDDEN
  const hidden = new Set<string>()
  for (const target of (await findTargets(transaction, model, references, false)).all)
    if (!(await isVisible(transaction, model, request, target))) hidden.add(keyOf(target))
  return { has: (type, documentId) => hidden.has(keyOf({ type, documentId })) }
}

const keyOf = ({ type, documentId }: RelatedDocument) => `${type} ${documentId}`

/** Whether some documents of a type may be hidden from the caller. */
export function mayHide(model: Model, { scope, rules }: RuledWrite['request'], uid: string): boolean {
  if (!scope.may(uid, 'find')) return uid !== FILE
  const type = typeOf(model, uid)
  const isRuled = (action: 'find' | 'readDrafts') => (rules?.(type, action) ?? null) !== null
  return isRuled('find') || (type.draftAndPublish && (!scope.may(uid, 'readDrafts') || isRuled('readDrafts')))
}

/** The hidden documents in the relations of some versions that the input replaces, in the document and in its entries. */
export function findHiddenIn(
  context: Pick<WriteContext, 'transaction' | 'request' | 'blueprint'>,
  versions: Versions,
  input: ShapeInput,
): Promise<HiddenTargets> | HiddenTargets {
  if (!context.request.rules) return NONE_HIDDEN
  const replaced = replacedRelations(context.blueprint, input)
  if (replaced.size === 0) return NONE_HIDDEN
  const related = new Map<string, RelatedDocument>()
  for (const { edges } of versions)
    for (const relations of edges.values())
      for (const [relation, attribute] of replaced)
        for (const edge of relations.get(relation) ?? []) {
          const document = { type: targetTypeOf(attribute, edge), documentId: edge.target }
          related.set(keyOf(document), document)
        }
  return findHidden(context, related.values())
}

type ReplacedRelations = Map<number, EdgeAttribute>

/** The owned relations that the input gives a new list or, if they are to-one, a new document. */
function replacedRelations(
  { owned, relationIn }: WriteContext['blueprint'],
  input: ShapeInput,
): ReplacedRelations {
  const replaced: ReplacedRelations = new Map()
  const add = (shape: ShapeInput, relationOf: (name: string) => number | undefined): void => {
    for (const [name, sent] of shape) {
      if (sent.kind === 'entries') for (const entry of sent.entries ?? []) if (entry) addEntry(entry)
      if (sent.kind !== 'edges' || (sent.operation.kind === 'change' && isMany(sent.attribute))) continue
      const relation = relationOf(name)
      if (relation !== undefined) replaced.set(relation, sent.attribute)
    }
  }
  const addEntry = ({ component, values }: EntryInput) =>
    add(values, (name) => relationIn(component.uid, name))
  add(input, (name) => owned.get(name)?.relation)
  return replaced
}
