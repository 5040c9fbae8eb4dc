/** One attribute of a schema file, read and checked by itself. What it points to is checked in `links.ts`. */
import { messageOf } from '../errors.ts'
import { didYouMean } from '../project/suggest.ts'
import type {
  Attribute,
  Bound,
  ComponentAttribute,
  MediaAttribute,
  MediaKind,
  ScalarAttribute,
  ScalarTypeName,
  ZoneAttribute,
} from './model.ts'
import type { RawObject } from './raw-object.ts'
import { readRelation } from './relation.ts'
import { scalars } from './scalars/index.ts'

const MEDIA_KINDS: readonly MediaKind[] = ['images', 'videos', 'audios', 'files']
const TYPE_NAMES = [...Object.keys(scalars), 'media', 'relation', 'component', 'dynamiczone', 'customField']

const KEYS: readonly string[] = [
  ...['type', 'required', 'unique', 'private', 'configurable', 'default', 'pluginOptions', 'options'],
  ...['min', 'max', 'minLength', 'maxLength', 'regex', 'enum', 'targetField', 'multiple', 'allowedTypes'],
  ...['relation', 'target', 'inversedBy', 'mappedBy', 'morphBy', 'component', 'components', 'repeatable'],
  ...['customField', 'baseType', 'renamedFrom'],
]

const isScalarType = (type: string): type is ScalarTypeName => Object.hasOwn(scalars, type)
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
export function readAttribute(name: string, raw: RawObject, owner: Owner): Attribute | null {
  if (raw.broken) return null
  const head: AttributeHead = {
    name,
    required: raw.flag('required'),
    private: raw.flag('private'),
    localized: owner.localized && raw.object('pluginOptions').object('i18n').flag('localized'),
    ...renamed(raw.text('renamedFrom')),
  }
  const type = raw.text('type')
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
function scalarTypeOf(type: string | null, raw: RawObject): ScalarTypeName | null {
  if (type !== null && isScalarType(type)) return type
  const base = raw.text('baseType')
  if (base !== null && isScalarType(base)) return base
  if (base !== null)
    raw.complain(`there is no attribute type "${base}"${didYouMean(base, Object.keys(scalars))}`, 'baseType')
  else if (type === 'customField' || raw.has('customField')) return 'text'
  else if (type === null && !raw.has('type')) raw.complain('is missing', 'type')
  else if (type !== null)
    raw.complain(`there is no attribute type "${type}"${didYouMean(type, TYPE_NAMES)}`, 'type')
  return null
}

function readScalar(type: ScalarTypeName, head: AttributeHead, raw: RawObject): ScalarAttribute {
  const attribute: ScalarAttribute = {
    ...head,
    kind: 'scalar',
    type,
    // A uid names its document in a path, so it is always unique.
    unique: raw.flag('unique') || type === 'uid',
    default: raw.value('default'),
    ...(type === 'biginteger' ? readExactRange(raw) : readRange(raw)),
    minLength: raw.count('minLength'),
    maxLength: raw.count('maxLength'),
    regex: readRegex(raw),
    enum: type === 'enumeration' ? readEnum(raw) : [],
    targetField: type === 'uid' ? raw.text('targetField') : null,
    generate: type === 'uid' && raw.object('options').flag('generate'),
  }
  const { minLength, maxLength } = attribute
  if (minLength !== null && maxLength !== null && minLength > maxLength) {
    raw.complain(`is more than maxLength (${maxLength})`, 'minLength')
  }
  checkDefault(attribute, raw)
  return attribute
}

function checkDefault(attribute: ScalarAttribute, raw: RawObject) {
  if (attribute.default === undefined) return
  const parsed = scalars[attribute.type].parse(attribute.default, attribute, 'full')
  if (!parsed.ok) raw.complain(`does not fit the attribute: it ${parsed.message}`, 'default')
}

const readRange = (raw: RawObject) => inOrder(raw, raw.number('min'), raw.number('max'))
const readExactRange = (raw: RawObject) => inOrder(raw, raw.exactNumber('min'), raw.exactNumber('max'))

function inOrder<One extends Bound>(raw: RawObject, min: One | null, max: One | null) {
  if (min !== null && max !== null && min > max) raw.complain(`is more than max (${max})`, 'min')
  return { min, max }
}

function readRegex(raw: RawObject): RegExp | null {
  const source = raw.text('regex')
  if (source === null || source === '') return null
  try {
    return new RegExp(source)
  } catch (error) {
    raw.complain(`is not a regular expression: ${messageOf(error)}`, 'regex')
    return null
  }
}

function readEnum(raw: RawObject): readonly string[] {
  if (!raw.has('enum')) raw.complain('is missing: an enumeration lists its values', 'enum')
  const words = raw.texts('enum')
  if (words === null) return []
  if (words.length === 0) raw.complain('must have at least one value', 'enum')
  if (words.includes('')) raw.complain('must not have an empty value', 'enum')
  const twice = words.find((word, index) => words.indexOf(word) !== index)
  if (twice !== undefined) raw.complain(`has "${twice}" more than once`, 'enum')
  return words
}

function readMedia(head: AttributeHead, raw: RawObject): MediaAttribute {
  const named = raw.texts('allowedTypes') ?? []
  for (const kind of named) {
    if (!isMediaKind(kind) && kind !== 'any') {
      raw.complain(`there is no kind of media "${kind}"; there are ${MEDIA_KINDS.join(', ')}`, 'allowedTypes')
    }
  }
  const kinds = named.filter(isMediaKind)
  return {
    ...head,
    kind: 'media',
    multiple: raw.flag('multiple'),
    allowedTypes: kinds.length === 0 || named.includes('any') ? MEDIA_KINDS : kinds,
  }
}

function readComponent(head: AttributeHead, raw: RawObject): ComponentAttribute | null {
  const component = raw.text('component')
  if (component === null) {
    if (!raw.has('component')) raw.complain('is missing', 'component')
    return null
  }
  return { ...head, kind: 'component', component, repeatable: raw.flag('repeatable'), ...readRange(raw) }
}

function readZone(head: AttributeHead, raw: RawObject): ZoneAttribute {
  const components = raw.texts('components') ?? []
  const twice = components.find((uid, index) => components.indexOf(uid) !== index)
  if (twice !== undefined) raw.complain(`has "${twice}" more than once`, 'components')
  return { ...head, kind: 'zone', components, ...readRange(raw) }
}
