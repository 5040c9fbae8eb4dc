/** What stands between content-types and components: targets, other ends, components, and names used twice. */
import { didYouMean } from '../../project/suggest.ts'
import type { Attribute, Component, ContentType, RelationAttribute } from '../model.ts'
import { TAKEN_SEGMENTS } from '../naming.ts'
import { checkRenames } from './check-renames.ts'
import { checkOtherEnd } from './read-relation.ts'
import type { Read } from './read-shape.ts'
import type { SchemaObject } from './schema-object.ts'

/** The types that a uid can be derived from. */
const SLUG_SOURCES: ReadonlySet<string> = new Set([
  'string',
  'text',
  'richtext',
  'email',
  'enumeration',
  'uid',
])

export interface Shapes {
  readonly types: ReadonlyMap<string, Read<ContentType>>
  readonly components: ReadonlyMap<string, Read<Component>>
}

/** Notes every problem between shapes that were read without regard to each other. */
export function checkLinks(shapes: Shapes) {
  for (const read of [...shapes.types.values(), ...shapes.components.values()]) {
    for (const attribute of read.shape.attributes.values()) {
      const raw = read.declared.get(attribute.name)
      if (raw) checkAttribute(attribute, raw, read.shape, shapes)
    }
  }
  checkNames([...shapes.types.values()].filter(({ shape }) => shape.generated))
  checkTables(shapes.types)
  checkRenames(shapes)
  checkCycles(shapes.components)
}

function checkAttribute(
  attribute: Attribute,
  raw: SchemaObject,
  shape: ContentType | Component,
  shapes: Shapes,
) {
  switch (attribute.kind) {
    case 'component':
      if (!shapes.components.has(attribute.component)) {
        raw.report(unknownComponent(attribute.component, shapes), 'component')
      }
      return
    case 'zone':
      for (const uid of attribute.components) {
        if (!shapes.components.has(uid)) raw.report(unknownComponent(uid, shapes), 'components')
      }
      return
    case 'relation': {
      if (attribute.target === null) return
      const target = shapes.types.get(attribute.target)
      if (!target) {
        const suggestion = didYouMean(attribute.target, shapes.types.keys())
        raw.report(`there is no content-type "${attribute.target}"${suggestion}`, 'target')
        return
      }
      checkOtherEnd(shape.uid, attribute, raw, otherEnd(attribute, target))
      return
    }
    case 'scalar': {
      if (attribute.targetField === null) return
      const source = shape.attributes.get(attribute.targetField)
      if (!source) {
        const suggestion = didYouMean(attribute.targetField, shape.attributes.keys())
        raw.report(`there is no attribute "${attribute.targetField}"${suggestion}`, 'targetField')
      } else if (source.kind !== 'scalar' || !SLUG_SOURCES.has(source.type)) {
        raw.report(`the attribute "${attribute.targetField}" is not a text`, 'targetField')
      }
    }
  }
}

function otherEnd({ other }: RelationAttribute, target: Read<ContentType>) {
  const attribute = target.shape.attributes.get(other ?? '')
  const raw = target.declared.get(other ?? '')
  return attribute?.kind === 'relation' && raw ? { attribute, raw } : null
}

const unknownComponent = (uid: string, { components }: Shapes) =>
  `there is no component "${uid}"${didYouMean(uid, components.keys())}`

/** The path segment under /api: the plural of collections, the singular of single types. */
export const segmentOf = (type: ContentType) => (type.kind === 'single' ? type.singular : type.plural)

function checkNames(types: readonly Read<ContentType>[]) {
  const taken = {
    singular: new Map<string, string>(),
    plural: new Map<string, string>(),
    segment: new Map<string, string>(),
  }
  for (const { shape, raw } of types) {
    const info = raw.object('info')
    const segment = segmentOf(shape)
    const key = shape.kind === 'single' ? 'singularName' : 'pluralName'
    const singular = taken.singular.get(shape.singular)
    const plural = taken.plural.get(shape.plural)
    const path = taken.segment.get(segment)
    if (TAKEN_SEGMENTS.has(segment)) info.report(`the path /api/${segment} is used by the server itself`, key)
    if (singular)
      info.report(`"${shape.singular}" is already the singular name of ${singular}`, 'singularName')
    if (plural) info.report(`"${shape.plural}" is already the plural name of ${plural}`, 'pluralName')
    if (path && !singular && !plural) info.report(`the path /api/${segment} already belongs to ${path}`, key)
    taken.singular.set(shape.singular, singular ?? shape.uid)
    taken.plural.set(shape.plural, plural ?? shape.uid)
    taken.segment.set(segment, path ?? shape.uid)
  }
}

function checkTables(types: ReadonlyMap<string, Read<ContentType>>) {
  const taken = new Map<string, string>()
  for (const { shape, raw } of types.values()) {
    const other = taken.get(shape.table)
    if (other) raw.report(`the table "${shape.table}" already belongs to ${other}`, 'collectionName')
    else taken.set(shape.table, shape.uid)
  }
}

/** A component inside itself, at any depth, would have no end. */
function checkCycles(components: ReadonlyMap<string, Read<Component>>) {
  const done = new Set<string>()
  const visit = (uid: string, above: readonly string[]) => {
    const read = components.get(uid)
    if (!read || done.has(uid)) return
    const trail = [...above, uid]
    for (const attribute of read.shape.attributes.values()) {
      for (const inner of componentsOf(attribute)) {
        if (trail.includes(inner)) {
          const cycle = [...trail.slice(trail.indexOf(inner)), inner].join(' > ')
          read.declared.get(attribute.name)?.report(`the component contains itself: ${cycle}`)
        } else visit(inner, trail)
      }
    }
    done.add(uid)
  }
  for (const uid of components.keys()) visit(uid, [])
}

function componentsOf(attribute: Attribute): readonly string[] {
  if (attribute.kind === 'component') return [attribute.component]
  return attribute.kind === 'zone' ? attribute.components : []
}
