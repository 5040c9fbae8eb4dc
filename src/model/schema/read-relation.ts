/** Relations: from the eight kinds of a schema file to sides of stored edges, and whether two sides agree. */
import { didYouMean } from '../../project/suggest.ts'
import type { RelationAttribute } from '../model.ts'
import type { AttributeHead } from './read-attribute.ts'
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

type PlainKind = keyof typeof OPPOSITE
type RelationKind = PlainKind | (typeof MORPH_OWNERS)[number] | (typeof MORPH_INVERSES)[number]

const KINDS: readonly string[] = [...Object.keys(OPPOSITE), ...MORPH_OWNERS, ...MORPH_INVERSES]

const isPlain = (kind: string): kind is PlainKind => Object.hasOwn(OPPOSITE, kind)
const isKind = (kind: string): kind is RelationKind => KINDS.includes(kind)
const isMorphOwner = (kind: RelationKind) => MORPH_OWNERS.some((known) => known === kind)

/** The relation that a schema declares, or null when nothing can be made of it. */
export function readRelation(
  head: AttributeHead,
  raw: SchemaObject,
  within: 'type' | 'component',
): RelationAttribute | null {
  const kind = raw.string('relation')
  if (kind === null || !isKind(kind)) {
    if (kind !== null)
      raw.report(`there is no kind of relation "${kind}"${didYouMean(kind, KINDS)}`, 'relation')
    else if (!raw.has('relation')) raw.report(`is missing; the kinds are ${KINDS.join(', ')}`, 'relation')
    return null
  }
  if (isMorphOwner(kind)) {
    const many = kind === 'morphToMany'
    return {
      ...head,
      kind: 'relation',
      side: 'owner',
      many,
      target: null,
      other: null,
      morph: true,
      exclusive: false,
    }
  }
  const target = raw.string('target')
  if (target === null) {
    if (!raw.has('target')) raw.report('is missing', 'target')
    return null
  }
  return isPlain(kind)
    ? plain(kind, target, head, raw, within)
    : morphInverse(kind === 'morphMany', target, head, raw, within)
}

function plain(
  kind: PlainKind,
  target: string,
  head: AttributeHead,
  raw: SchemaObject,
  within: 'type' | 'component',
): RelationAttribute | null {
  const [mappedBy, inversedBy] = [raw.string('mappedBy'), raw.string('inversedBy')]
  if (mappedBy !== null && inversedBy !== null)
    raw.report('a relation has either mappedBy or inversedBy', 'mappedBy')
  const other = mappedBy ?? inversedBy
  if (other !== null && within === 'component') {
    raw.report('a relation of a component goes one way', mappedBy !== null ? 'mappedBy' : 'inversedBy')
    return null
  }
  const side = mappedBy === null ? 'owner' : 'inverse'
  // `oneToMany` reads: one of ours to many of theirs. How many owners a target has is the first word for an owner, and
  // the last for an inverse, whose targets are the owners.
  const oneOwner = side === 'owner' ? kind.startsWith('one') : kind.endsWith('One')
  return {
    ...head,
    kind: 'relation',
    side,
    many: kind.endsWith('Many'),
    target,
    other,
    morph: false,
    exclusive: other !== null && oneOwner,
  }
}

function morphInverse(
  many: boolean,
  target: string,
  head: AttributeHead,
  raw: SchemaObject,
  within: 'type' | 'component',
): RelationAttribute | null {
  const other = raw.string('morphBy')
  if (within === 'component') {
    raw.report('a relation of a component goes one way', 'relation')
    return null
  }
  if (other !== null) {
    return { ...head, kind: 'relation', side: 'inverse', many, target, other, morph: true, exclusive: false }
  }
  if (!raw.has('morphBy')) raw.report(`is missing: the polymorphic attribute of ${target}`, 'morphBy')
  return null
}

/** The other end of a two-way relation, as a schema declares it. */
export interface OtherEnd {
  readonly attribute: RelationAttribute
  readonly raw: SchemaObject
}

/** Notes where the other end of a two-way relation disagrees with this one. */
export function checkOtherEnd(
  uid: string,
  attribute: RelationAttribute,
  raw: SchemaObject,
  otherEnd: OtherEnd | null,
) {
  if (attribute.other === null || attribute.target === null) return
  const key = attribute.morph ? 'morphBy' : attribute.side === 'owner' ? 'inversedBy' : 'mappedBy'
  const there = `${attribute.target} attribute "${attribute.other}"`
  if (!otherEnd) return raw.report(`${attribute.target} has no relation "${attribute.other}"`, key)
  if (attribute.morph) {
    const fits = otherEnd.attribute.morph && otherEnd.attribute.side === 'owner'
    return fits ? undefined : raw.report(`${there} is not polymorphic (morphToOne or morphToMany)`, key)
  }
  if (otherEnd.attribute.target !== uid) {
    return raw.report(`${there} points to ${otherEnd.attribute.target ?? 'any type'}, not back here`, key)
  }
  const back = key === 'inversedBy' ? 'mappedBy' : 'inversedBy'
  if (otherEnd.raw.value(back) !== attribute.name) {
    return raw.report(`${there} must say ${back} "${attribute.name}"`, key)
  }
  const [kind, otherKind] = [raw.string('relation') ?? '', otherEnd.raw.string('relation')]
  const expected = isPlain(kind) ? OPPOSITE[kind] : null
  if (otherKind !== expected)
    raw.report(`${there} is ${otherKind}, but the other end of ${kind} is ${expected}`, 'relation')
}
