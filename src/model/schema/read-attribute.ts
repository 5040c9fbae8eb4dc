/** One attribute of a schema file, read and checked by itself. What it points to is checked in `links.ts`. */
import { messageOf } from '../../errors.ts'
import { didYouMean } from '../../project/suggest.ts'
import type {
  Attribute,
  Bound,
  ComponentAttribute,
  MediaAttribute,
  MediaKind,
  ScalarAttribute,
  ScalarTypeName,
  ZoneAttribute,
} from '../model.ts'
import { scalarTypes } from '../scalars/index.ts'
import { readRelation } from './read-relation.ts'
import type { SchemaObject } from './schema-object.ts'

const MEDIA_KINDS: readonly MediaKind[] = ['images', 'videos', 'audios', 'files']
const TYPE_NAMES = [
  ...Object.keys(scalarTypes),
  'media',
  'relation',
  'component',
  'dynamiczone',
  'customField',
]

const KEYS: readonly string[] = [
  ...['type', 'required', 'unique', 'private', 'configurable', 'default', 'pluginOptions', 'options'],
  ...['min', 'max', 'minLength', 'maxLength', 'regex', 'enum', 'targetField', 'multiple', 'allowedTypes'],
  ...['relation', 'target', 'inversedBy', 'mappedBy', 'morphBy', 'component', 'components', 'repeatable'],
  ...['customField', 'baseType', 'renamedFrom'],
]

const isScalarType = (type: string): type is ScalarTypeName => Object.hasOwn(scalarTypes, type)
const isMediaKind = (kind: string): kind is MediaKind => MEDIA_KINDS.some((known) => known === kind)

/** What an attribute needs to know of the content-type or component that has it. */
export interface Owner {
  readonly kind: 'type' | 'component'
  readonly localized: boolean
}

export interface AttributeHead {
  readonly name: string
  readonly required: boolean
  readonly private: boolean
  readonly localized: boolean
  readonly renamedFrom?: string
}

/** The attribute that a schema declares, or null when nothing can be made of it. Mistakes go to `raw`. */
export function readAttribute(name: string, raw: SchemaObject, owner: Owner): Attribute | null {
  if (raw.isMissing) return null
  const head: AttributeHead = {
    name,
    required: raw.boolean('required'),
    private: raw.boolean('private'),
    localized: owner.localized && raw.object('pluginOptions').object('i18n').boolean('localized'),
    ...renamed(raw.string('renamedFrom')),
  }
  const type = raw.string('type')
  raw.checkSpelling(KEYS)
  switch (type) {
    case 'media':
      return readMedia(head, raw)
    case 'relation':
      // Every locale version keeps its own relations, whatever the schema says.
      return readRelation({ ...head, localized: owner.localized }, raw, owner.kind)
    case 'component':
      return readComponent(head, raw)
    case 'dynamiczone':
      return readZone(head, raw)
  }
  const scalar = scalarTypeOf(type, raw)
  return scalar ? readScalar(scalar, head, raw) : null
}

const renamed = (renamedFrom: string | null) => (renamedFrom === null ? {} : { renamedFrom })

/** A custom field is kept as its base type: what it says, else a text, which takes whatever a string takes. */
function scalarTypeOf(type: string | null, raw: SchemaObject): ScalarTypeName | null {
  if (type !== null && isScalarType(type)) return type
  const base = raw.string('baseType')
  if (base !== null && isScalarType(base)) return base
  if (base !== null)
    raw.report(
      `there is no attribute type "${base}"${didYouMean(base, Object.keys(scalarTypes))}`,
      'baseType',
    )
  else if (type === 'customField' || raw.has('customField')) return 'text'
  else if (type === null && !raw.has('type')) raw.report('is missing', 'type')
  else if (type !== null)
    raw.report(`there is no attribute type "${type}"${didYouMean(type, TYPE_NAMES)}`, 'type')
  return null
}

function readScalar(type: ScalarTypeName, head: AttributeHead, raw: SchemaObject): ScalarAttribute {
  const attribute: ScalarAttribute = {
    ...head,
    kind: 'scalar',
    type,
    // A uid names its document in a path, so it is always unique.
    unique: raw.boolean('unique') || type === 'uid',
    default: raw.value('default'),
    ...(type === 'biginteger' ? readExactRange(raw) : readRange(raw)),
    minLength: raw.count('minLength'),
    maxLength: raw.count('maxLength'),
    regex: readRegex(raw),
    enum: type === 'enumeration' ? readEnum(raw) : [],
    targetField: type === 'uid' ? raw.string('targetField') : null,
    generate: type === 'uid' && raw.object('options').boolean('generate'),
  }
  const { minLength, maxLength } = attribute
  if (minLength !== null && maxLength !== null && minLength > maxLength) {
    raw.report(`is more than maxLength (${maxLength})`, 'minLength')
  }
  checkDefault(attribute, raw)
  return attribute
}

function checkDefault(attribute: ScalarAttribute, raw: SchemaObject) {
  if (attribute.default === undefined) return
  const parsed = scalarTypes[attribute.type].parse(attribute.default, attribute, 'full')
  if (!parsed.ok) raw.report(`does not fit the attribute: it ${parsed.message}`, 'default')
}

const readRange = (raw: SchemaObject) => inOrder(raw, raw.number('min'), raw.number('max'))
const readExactRange = (raw: SchemaObject) => inOrder(raw, raw.exactNumber('min'), raw.exactNumber('max'))

function inOrder<One extends Bound>(raw: SchemaObject, min: One | null, max: One | null) {
  if (min !== null && max !== null && min > max) raw.report(`is more than max (${max})`, 'min')
  return { min, max }
}

function readRegex(raw: SchemaObject): RegExp | null {
  const source = raw.string('regex')
  if (source === null || source === '') return null
  try {
    return new RegExp(source)
  } catch (error) {
    raw.report(`is not a regular expression: ${messageOf(error)}`, 'regex')
    return null
  }
}

function readEnum(raw: SchemaObject): readonly string[] {
  if (!raw.has('enum')) raw.report('is missing: an enumeration lists its values', 'enum')
  const words = raw.strings('enum')
  if (words === null) return []
  if (words.length === 0) raw.report('must have at least one value', 'enum')
  if (words.includes('')) raw.report('must not have an empty value', 'enum')
  const twice = words.find((word, index) => words.indexOf(word) !== index)
  if (twice !== undefined) raw.report(`has "${twice}" more than once`, 'enum')
  return words
}

function readMedia(head: AttributeHead, raw: SchemaObject): MediaAttribute {
  const named = raw.strings('allowedTypes') ?? []
  for (const kind of named) {
    if (!isMediaKind(kind) && kind !== 'any') {
      raw.report(`there is no kind of media "${kind}"; there are ${MEDIA_KINDS.join(', ')}`, 'allowedTypes')
    }
  }
  const kinds = named.filter(isMediaKind)
  return {
    ...head,
    kind: 'media',
    multiple: raw.boolean('multiple'),
    allowedTypes: kinds.length === 0 || named.includes('any') ? MEDIA_KINDS : kinds,
  }
}

function readComponent(head: AttributeHead, raw: SchemaObject): ComponentAttribute | null {
  const component = raw.string('component')
  if (component === null) {
    if (!raw.has('component')) raw.report('is missing', 'component')
    return null
  }
  return { ...head, kind: 'component', component, repeatable: raw.boolean('repeatable'), ...readRange(raw) }
}

function readZone(head: AttributeHead, raw: SchemaObject): ZoneAttribute {
  const components = raw.strings('components') ?? []
  const twice = components.find((uid, index) => components.indexOf(uid) !== index)
  if (twice !== undefined) raw.report(`has "${twice}" more than once`, 'components')
  return { ...head, kind: 'zone', components, ...readRange(raw) }
}
