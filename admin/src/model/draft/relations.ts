/** Both sides of a relation: what each is, in words and in schemas. Pure. */
import { type ModelDraft, updateSchema } from './draft.ts'
import type { AttributeSchema } from './schema.ts'

/** Relations between two content-types, each with its kind at the other end. */
export const OPPOSITE = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
} as const

export type TypedRelation = keyof typeof OPPOSITE

export const isTypedRelation = (relation: string | undefined): relation is TypedRelation =>
  relation !== undefined && Object.hasOwn(OPPOSITE, relation)

/** The attribute at the other end, or undefined for a relation that goes one way. */
export const otherSideOf = ({ mappedBy, inversedBy }: AttributeSchema): string | undefined =>
  mappedBy ?? inversedBy

/** Sets the name of the attribute at the other end; the side that stores the relation stays the same. */
export function withOtherSide(attribute: AttributeSchema, other: string | undefined): AttributeSchema {
  const { mappedBy, inversedBy: _, ...rest } = attribute
  if (other === undefined || other === '') return rest
  // The side with one document stores a relation to many, as with a foreign key.
  const isMapped =
    mappedBy !== undefined || (otherSideOf(attribute) === undefined && rest.relation === 'oneToMany')
  return { ...rest, [isMapped ? 'mappedBy' : 'inversedBy']: other }
}

interface End {
  readonly uid: string
  readonly name: string
}

const isOtherSide = (attribute: AttributeSchema, { uid, name }: End) =>
  attribute.target === uid && otherSideOf(attribute) === name

/** Adds or updates the attribute at the other end of a relation. An attribute of that name that is something else stays. */
export function putOtherSide(draft: ModelDraft, { uid, name }: End, attribute: AttributeSchema): ModelDraft {
  const other = otherSideOf(attribute)
  const { target, relation } = attribute
  if (other === undefined || target === undefined || !isTypedRelation(relation)) return draft
  return updateSchema(draft, target, (schema) => {
    const found = schema.attributes[other]
    if (found && !isOtherSide(found, { uid, name })) return schema
    const { mappedBy: _, inversedBy: __, ...existing } = found ?? {}
    const side = attribute.mappedBy === undefined ? { mappedBy: name } : { inversedBy: name }
    const added: AttributeSchema = {
      ...existing,
      type: 'relation',
      relation: OPPOSITE[relation],
      target: uid,
      ...side,
    }
    return { ...schema, attributes: { ...schema.attributes, [other]: added } }
  })
}

/** Removes the attribute at the other end of a relation, if it belongs to this one. */
export function removeOtherSide(
  draft: ModelDraft,
  { uid, name }: End,
  attribute: AttributeSchema,
): ModelDraft {
  const other = otherSideOf(attribute)
  const { target } = attribute
  if (other === undefined || target === undefined) return draft
  return updateSchema(draft, target, (schema) => {
    const { [other]: found, ...attributes } = schema.attributes
    return found && isOtherSide(found, { uid, name }) ? { ...schema, attributes } : schema
  })
}
