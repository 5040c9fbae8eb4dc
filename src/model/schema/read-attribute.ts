/** Reads one attribute of a schema file. What it refers to is checked in `check-links.ts`. */
import { didYouMean } from '../../project/suggest.ts'
import type {
  Attribute,
  AttributeBase,
  ComponentAttribute,
  MediaAttribute,
  MediaKind,
  ScalarAttribute,
  ScalarTypeName,
  ZoneAttribute,
} from '../model.ts'
import { Pattern } from '../pattern/pattern.ts'
import type { Bound } from '../scalar-type.ts'
import { CUSTOM_FIELD_TYPE, isScalarTypeName, scalarTypes } from '../scalars/index.ts'
import { readRelation } from './read-relation.ts'
import type { SchemaObject } from './schema-object.ts'

const MEDIA_KINDS: readonly MediaKind[] = ['images', 'videos', 'audios', 'files']
/** The names of attribute types in schema files. */
export const ATTRIBUTE_TYPES: readonly string[] = [
  ...Object.keys(scalarTypes),
  ...['media', 'relation', 'component', 'dynamiczone', 'customField'],
]

/** The keys of attributes that have a meaning. */
export const ATTRIBUTE_KEYS: readonly string[] = [
  ...[
    'type',
    'required',
    'unique',
    'private',
    'writable',
    'searchable',
    'configurable',
    'default',
    'pluginOptions',
    'options',
  ],
  ...['min', 'max', 'minLength', 'maxLength', 'regex', 'multiple', 'allowedTypes'],
  ...['relation', 'target', 'inversedBy', 'mappedBy', 'morphBy', 'component', 'components', 'repeatable'],
  ...['customField', 'baseType', 'renamedFrom'],
  ...Object.values(scalarTypes).flatMap(({ optionKeys }) => optionKeys ?? []),
]

const isMediaKind = (kind: string): kind is MediaKind => MEDIA_KINDS.some((known) => known === kind)

/** What an attribute depends on in the content-type or component that has it. */
export interface Owner {
  readonly kind: 'type' | 'component'
  readonly localized: boolean
}

/** The attribute that a schema declares, or null when it is invalid; problems are reported to `schema`. */
export function readAttribute(name: string, schema: SchemaObject, owner: Owner): Attribute | null {
  if (schema.isMissing) return null
  const renamedFrom = schema.string('renamedFrom')
  const base: AttributeBase = {
    name,
    required: schema.boolean('required'),
    private: schema.boolean('private'),
    localized: owner.localized && schema.object('pluginOptions').object('i18n').boolean('localized'),
    ...(schema.boolean('writable', true) ? {} : { writable: false }),
    ...(schema.boolean('searchable', true) ? {} : { searchable: false }),
    ...(renamedFrom === null ? {} : { renamedFrom }),
  }
  const type = schema.string('type')
  schema.checkSpelling(ATTRIBUTE_KEYS)
  switch (type) {
    case 'media':
      return readMedia(base, schema)
    case 'relation':
      // Each locale version has its own relations, whatever the schema says.
      return readRelation({ ...base, localized: owner.localized }, schema, owner.kind)
    case 'component':
      return readComponent(base, schema)
    case 'dynamiczone':
      return readZone(base, schema)
  }
  const scalar = scalarTypeOf(type, schema)
  return scalar ? readScalar(scalar, base, schema) : null
}

/** A custom field is stored as its base type. */
function scalarTypeOf(type: string | null, schema: SchemaObject): ScalarTypeName | null {
  if (type !== null && isScalarTypeName(type)) return type
  const base = schema.string('baseType')
  if (base !== null && isScalarTypeName(base)) return base
  if (base !== null)
    schema.report(`unknown attribute type "${base}"${didYouMean(base, Object.keys(scalarTypes))}`, 'baseType')
  else if (type === 'customField' || schema.has('customField')) return CUSTOM_FIELD_TYPE
  else if (type === null && !schema.has('type')) schema.report('is required', 'type')
  else if (type !== null)
    schema.report(`unknown attribute type "${type}"${didYouMean(type, ATTRIBUTE_TYPES)}`, 'type')
  return null
}

function readScalar(type: ScalarTypeName, base: AttributeBase, schema: SchemaObject): ScalarAttribute {
  const { hasExactBounds, readOptions } = scalarTypes[type]
  const attribute: ScalarAttribute = {
    ...base,
    kind: 'scalar',
    type,
    unique: schema.boolean('unique'),
    default: schema.value('default'),
    ...(hasExactBounds ? readExactRange(schema) : readRange(schema)),
    minLength: schema.count('minLength'),
    maxLength: schema.count('maxLength'),
    regex: readRegex(schema),
    enum: [],
    targetField: null,
    generate: false,
    ...readOptions?.(schema),
  }
  const { minLength, maxLength } = attribute
  if (minLength !== null && maxLength !== null && minLength > maxLength) {
    schema.report(`is more than maxLength (${maxLength})`, 'minLength')
  }
  checkDefault(attribute, schema)
  return attribute
}

function checkDefault(attribute: ScalarAttribute, schema: SchemaObject) {
  if (attribute.default === undefined) return
  const parsed = scalarTypes[attribute.type].parse(attribute.default, attribute, 'full')
  if (!parsed.ok) schema.report(`is not a valid value of the attribute: it ${parsed.message}`, 'default')
}

const readRange = (schema: SchemaObject) => checkRange(schema, schema.number('min'), schema.number('max'))
const readExactRange = (schema: SchemaObject) =>
  checkRange(schema, schema.exactNumber('min'), schema.exactNumber('max'))

function checkRange<T extends Bound>(schema: SchemaObject, min: T | null, max: T | null) {
  if (min !== null && max !== null && min > max) schema.report(`is more than max (${max})`, 'min')
  return { min, max }
}

function readRegex(schema: SchemaObject): Pattern | null {
  const source = schema.string('regex')
  if (source === null || source === '') return null
  const pattern = new Pattern(source)
  const problem = pattern.problem()
  if (problem !== null) schema.report(problem, 'regex')
  return problem === null ? pattern : null
}

function readMedia(base: AttributeBase, schema: SchemaObject): MediaAttribute {
  const named = schema.strings('allowedTypes') ?? []
  for (const kind of named) {
    if (!isMediaKind(kind) && kind !== 'any') {
      schema.report(
        `unknown kind of media "${kind}"; the kinds are ${MEDIA_KINDS.join(', ')}`,
        'allowedTypes',
      )
    }
  }
  const kinds = named.filter(isMediaKind)
  return {
    ...base,
    kind: 'media',
    multiple: schema.boolean('multiple'),
    allowedTypes: kinds.length === 0 || named.includes('any') ? MEDIA_KINDS : kinds,
  }
}

function readComponent(base: AttributeBase, schema: SchemaObject): ComponentAttribute | null {
  const component = schema.string('component')
  if (component === null) {
    if (!schema.has('component')) schema.report('is required', 'component')
    return null
  }
  return {
    ...base,
    kind: 'component',
    component,
    repeatable: schema.boolean('repeatable'),
    ...readRange(schema),
  }
}

function readZone(base: AttributeBase, schema: SchemaObject): ZoneAttribute {
  const components = schema.strings('components') ?? []
  const duplicate = components.find((uid, index) => components.indexOf(uid) !== index)
  if (duplicate !== undefined) schema.report(`has "${duplicate}" more than once`, 'components')
  return { ...base, kind: 'zone', components, ...readRange(schema) }
}
