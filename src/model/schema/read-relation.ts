/** Reads the eight relation kinds of schema files as sides of stored edges, and checks that both sides agree. */
import { didYouMean } from '../../project/suggest.ts'
import type { AttributeBase, RelationAttribute } from '../model.ts'
import type { SchemaObject } from './schema-object.ts'

/** The kind at the other end of a two-way relation. */
const OPPOSITE = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
} as const

const MORPH_OWNERS = ['morphToOne', 'morphToMany'] as const
const MORPH_INVERSES = ['morphOne', 'morphMany'] as const

type TypedKind = keyof typeof OPPOSITE
type RelationKind = TypedKind | (typeof MORPH_OWNERS)[number] | (typeof MORPH_INVERSES)[number]

const KINDS: readonly string[] = [...Object.keys(OPPOSITE), ...MORPH_OWNERS, ...MORPH_INVERSES]

const isTypedKind = (kind: string): kind is TypedKind => Object.hasOwn(OPPOSITE, kind)
const isKind = (kind: string): kind is RelationKind => KINDS.includes(kind)
const isMorphOwnerKind = (kind: RelationKind) => MORPH_OWNERS.some((known) => known === kind)

/** The relation that a schema declares, or null when it is invalid. */
export function readRelation(
  base: AttributeBase,
  schema: SchemaObject,
  within: 'type' | 'component',
): RelationAttribute | null {
  const kind = schema.string('relation')
  if (kind === null || !isKind(kind)) {
    if (kind !== null)
      schema.report(`unknown kind of relation "${kind}"${didYouMean(kind, KINDS)}`, 'relation')
    else if (!schema.has('relation'))
      schema.report(`is required; the kinds are ${KINDS.join(', ')}`, 'relation')
    return null
  }
  if (isMorphOwnerKind(kind)) {
    const many = kind === 'morphToMany'
    return {
      ...base,
      kind: 'relation',
      side: 'owner',
      many,
      target: null,
      other: null,
      morph: true,
      exclusive: false,
    }
  }
  const target = schema.string('target')
  if (target === null) {
    if (!schema.has('target')) schema.report('is required', 'target')
    return null
  }
  return isTypedKind(kind)
    ? typedRelation(kind, target, base, schema, within)
    : morphInverse(kind === 'morphMany', target, base, schema, within)
}

function typedRelation(
  kind: TypedKind,
  target: string,
  base: AttributeBase,
  schema: SchemaObject,
  within: 'type' | 'component',
): RelationAttribute | null {
  const [mappedBy, inversedBy] = [schema.string('mappedBy'), schema.string('inversedBy')]
  if (mappedBy !== null && inversedBy !== null)
    schema.report('a relation has either mappedBy or inversedBy, not both', 'mappedBy')
  const other = mappedBy ?? inversedBy
  if (other !== null && within === 'component') {
    schema.report('a relation in a component must be one-way', mappedBy !== null ? 'mappedBy' : 'inversedBy')
    return null
  }
  const side = mappedBy === null ? 'owner' : 'inverse'
  // In `oneToMany`, "one" is this side and "many" the other. The number of owners per target is the first word on the
  // owning side and the last on the inverse side, whose targets are the owners.
  const hasOneOwner = side === 'owner' ? kind.startsWith('one') : kind.endsWith('One')
  return {
    ...base,
    kind: 'relation',
    side,
    many: kind.endsWith('Many'),
    target,
    other,
    morph: false,
    exclusive: other !== null && hasOneOwner,
  }
}

function morphInverse(
  many: boolean,
  target: string,
  base: AttributeBase,
  schema: SchemaObject,
  within: 'type' | 'component',
): RelationAttribute | null {
  const other = schema.string('morphBy')
  if (within === 'component') {
    schema.report('a relation in a component must be one-way', 'relation')
    return null
  }
  if (other !== null) {
    return { ...base, kind: 'relation', side: 'inverse', many, target, other, morph: true, exclusive: false }
  }
  if (!schema.has('morphBy')) schema.report(`is required: the polymorphic attribute of ${target}`, 'morphBy')
  return null
}

/** The other end of a two-way relation. */
export interface OtherEnd {
  readonly attribute: RelationAttribute
  readonly schema: SchemaObject
}

/** Reports a two-way relation whose other end does not match this one. */
export function checkOtherEnd(
  uid: string,
  attribute: RelationAttribute,
  schema: SchemaObject,
  otherEnd: OtherEnd | null,
) {
  if (attribute.other === null || attribute.target === null) return
  const key = attribute.morph ? 'morphBy' : attribute.side === 'owner' ? 'inversedBy' : 'mappedBy'
  const otherName = `${attribute.target} attribute "${attribute.other}"`
  if (!otherEnd) return schema.report(`${attribute.target} has no relation "${attribute.other}"`, key)
  if (attribute.morph) {
    const isMorphOwner = otherEnd.attribute.morph && otherEnd.attribute.side === 'owner'
    return isMorphOwner
      ? undefined
      : schema.report(`${otherName} is not polymorphic (morphToOne or morphToMany)`, key)
  }
  if (otherEnd.attribute.target !== uid) {
    return schema.report(
      `${otherName} points to ${otherEnd.attribute.target ?? 'any type'}, not to this type`,
      key,
    )
  }
  const back = key === 'inversedBy' ? 'mappedBy' : 'inversedBy'
  if (otherEnd.schema.value(back) !== attribute.name) {
    return schema.report(`${otherName} must have ${back} "${attribute.name}"`, key)
  }
  const [kind, otherKind] = [schema.string('relation') ?? '', otherEnd.schema.string('relation')]
  const expected = isTypedKind(kind) ? OPPOSITE[kind] : null
  if (otherKind !== expected)
    schema.report(`${otherName} is ${otherKind}, but the other end of ${kind} is ${expected}`, 'relation')
}
