/** Checks what content-types and components say about each other: targets, other ends, components, duplicate names. */
import { didYouMean } from '../../project/suggest.ts'
import type { Attribute, Component, ContentType, RelationAttribute } from '../model.ts'
import { RESERVED_SEGMENTS, segmentOf } from '../naming.ts'
import { scalarTypes } from '../scalars/index.ts'
import { checkRenames } from './check-renames.ts'
import { checkOtherEnd } from './read-relation.ts'
import type { ReadShape, Shapes } from './read-shape.ts'
import type { SchemaObject } from './schema-object.ts'

/** Reports every problem between shapes, which were read one by one. */
export function checkLinks(shapes: Shapes) {
  for (const read of [...shapes.types.values(), ...shapes.components.values()]) {
    for (const attribute of read.shape.attributes.values()) {
      const schema = read.declared.get(attribute.name)
      if (schema) checkAttribute(attribute, schema, read.shape, shapes)
    }
  }
  checkNames([...shapes.types.values()].filter(({ shape }) => shape.generated))
  checkTables(shapes.types)
  checkRenames(shapes)
  checkCycles(shapes.components)
}

function checkAttribute(
  attribute: Attribute,
  schema: SchemaObject,
  shape: ContentType | Component,
  shapes: Shapes,
) {
  switch (attribute.kind) {
    case 'component':
      if (!shapes.components.has(attribute.component)) {
        schema.report(unknownComponent(attribute.component, shapes), 'component')
      }
      return
    case 'zone':
      for (const uid of attribute.components) {
        if (!shapes.components.has(uid)) schema.report(unknownComponent(uid, shapes), 'components')
      }
      return
    case 'relation': {
      if (attribute.target === null) return
      const target = shapes.types.get(attribute.target)
      if (!target) {
        const suggestion = didYouMean(attribute.target, shapes.types.keys())
        schema.report(`unknown content-type "${attribute.target}"${suggestion}`, 'target')
        return
      }
      checkOtherEnd(shape.uid, attribute, schema, otherEnd(attribute, target))
      return
    }
    case 'scalar': {
      if (attribute.targetField === null) return
      const source = shape.attributes.get(attribute.targetField)
      if (!source) {
        const suggestion = didYouMean(attribute.targetField, shape.attributes.keys())
        schema.report(`unknown attribute "${attribute.targetField}"${suggestion}`, 'targetField')
      } else if (source.kind !== 'scalar' || !scalarTypes[source.type].isUidSource) {
        schema.report(`the attribute "${attribute.targetField}" is not text`, 'targetField')
      }
    }
  }
}

function otherEnd({ other }: RelationAttribute, target: ReadShape<ContentType>) {
  const attribute = target.shape.attributes.get(other ?? '')
  const schema = target.declared.get(other ?? '')
  return attribute?.kind === 'relation' && schema ? { attribute, schema } : null
}

const unknownComponent = (uid: string, { components }: Shapes) =>
  `unknown component "${uid}"${didYouMean(uid, components.keys())}`

function checkNames(types: readonly ReadShape<ContentType>[]) {
  const taken = {
    singular: new Map<string, string>(),
    plural: new Map<string, string>(),
    segment: new Map<string, string>(),
  }
  for (const { shape, schema } of types) {
    const info = schema.object('info')
    const segment = segmentOf(shape)
    const key = shape.kind === 'single' ? 'singularName' : 'pluralName'
    const singular = taken.singular.get(shape.singular)
    const plural = taken.plural.get(shape.plural)
    const path = taken.segment.get(segment)
    if (RESERVED_SEGMENTS.has(segment))
      info.report(`the path /api/${segment} is used by the server itself`, key)
    if (singular)
      info.report(`"${shape.singular}" is already the singular name of ${singular}`, 'singularName')
    if (plural) info.report(`"${shape.plural}" is already the plural name of ${plural}`, 'pluralName')
    if (path && !singular && !plural) info.report(`the path /api/${segment} is already used by ${path}`, key)
    taken.singular.set(shape.singular, singular ?? shape.uid)
    taken.plural.set(shape.plural, plural ?? shape.uid)
    taken.segment.set(segment, path ?? shape.uid)
  }
}

function checkTables(types: ReadonlyMap<string, ReadShape<ContentType>>) {
  const taken = new Map<string, string>()
  for (const { shape, schema } of types.values()) {
    const other = taken.get(shape.table)
    if (other) schema.report(`the table "${shape.table}" is already used by ${other}`, 'collectionName')
    else taken.set(shape.table, shape.uid)
  }
}

/** A component cannot contain itself, at any depth. */
function checkCycles(components: ReadonlyMap<string, ReadShape<Component>>) {
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
