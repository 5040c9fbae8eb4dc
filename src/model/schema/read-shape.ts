/** Content-types and components of schema files, read one by one. What stands between them is checked in `links.ts`. */
import { componentUid, type SchemaSource, typeUid } from '../../project/source.ts'
import { isBuiltIn } from '../built-in-types.ts'
import type { Attribute, Component, ContentType } from '../model.ts'
import { defaultPlural, isApiId, isFreeTable, isUidPart, nameProblem, tableName } from '../naming.ts'
import { type Owner, readAttribute } from './read-attribute.ts'
import type { SchemaObject } from './schema-object.ts'

/** A content-type or component together with the JSON it was read from. */
export interface Read<T> {
  readonly shape: T
  readonly raw: SchemaObject
  /** The JSON of each attribute, of an extension's too. */
  readonly declared: ReadonlyMap<string, SchemaObject>
}

/** The content-type of a schema file. Attributes that cannot be read are left out; their problems are in `raw`. */
export function readType(
  { uid }: SchemaSource,
  raw: SchemaObject,
  extension: SchemaObject | null,
): Read<ContentType> {
  checkUid(uid.replace(/^[a-z]+::/, ''), raw)
  raw.checkSpelling([...KEYS, 'kind'])
  raw.object('options').checkSpelling(['draftAndPublish', 'indexes'])
  const info = raw.object('info')
  info.checkSpelling(['singularName', 'pluralName', 'displayName', 'description', 'renamedFrom'])
  const localized = raw.object('pluginOptions').object('i18n').boolean('localized')
  const singular = apiId(info, 'singularName') ?? uid.split('.').at(-1) ?? uid
  const plural = apiId(info, 'pluralName') ?? defaultPlural(singular)
  const declared = declarations(raw, extension)
  const attributes = readAttributes(declared, { kind: 'type', localized })
  const shape: ContentType = {
    uid,
    kind: readKind(raw),
    singular,
    plural,
    displayName: info.string('displayName') ?? singular,
    description: info.string('description') ?? '',
    table: readTable(uid, raw, plural),
    draftAndPublish: raw.object('options').boolean('draftAndPublish'),
    localized,
    generated: !isBuiltIn(uid),
    ...formerUid(raw, (name) => (name.includes('::') ? name : typeUid(name, name))),
    indexes: readIndexes(raw.object('options'), attributes),
    attributes,
  }
  return { shape, raw, declared }
}

/** The component of a schema file. */
export function readComponent({ uid }: SchemaSource, raw: SchemaObject): Read<Component> {
  checkUid(uid, raw)
  raw.checkSpelling(KEYS)
  const [category = '', name = ''] = uid.split('.')
  const displayName = raw.object('info').string('displayName') ?? name
  const declared = declarations(raw, null)
  const attributes = readAttributes(declared, { kind: 'component', localized: false })
  const former = formerUid(raw, (name) => (name.includes('.') ? name : componentUid(category, name)))
  return { shape: { uid, kind: 'component', category, displayName, ...former, attributes }, raw, declared }
}

const KEYS = ['collectionName', 'info', 'options', 'pluginOptions', 'attributes', 'renamedFrom']

/** What it was called before: a uid, or a name that stands for one. */
function formerUid(raw: SchemaObject, uidOf: (name: string) => string) {
  const name = raw.object('info').string('renamedFrom') ?? raw.string('renamedFrom')
  return name === null ? {} : { renamedFrom: uidOf(name) }
}

function checkUid(name: string, raw: SchemaObject) {
  const parts = name.split('.')
  if (parts.length !== 2 || !parts.every(isUidPart)) {
    raw.report('the names of its folder and file may only have letters, digits, - and _')
  }
}

/** An extension repeats the attributes of the built-in type; those stay as they are. */
function declarations(raw: SchemaObject, extension: SchemaObject | null) {
  const own = raw.object('attributes')
  const added = extension?.object('attributes')
  const names = added?.keys().filter((name) => !own.has(name)) ?? []
  return new Map([
    ...own.keys().map((name) => [name, own.object(name)] as const),
    ...names.flatMap((name) => (added ? [[name, added.object(name)] as const] : [])),
  ])
}

function readAttributes(declared: ReadonlyMap<string, SchemaObject>, owner: Owner): Map<string, Attribute> {
  const attributes = new Map<string, Attribute>()
  const spelling = new Map<string, string>()
  for (const [name, raw] of declared) {
    const problem = nameProblem(name, owner.kind)
    if (problem) raw.report(problem)
    const twin = spelling.get(name.toLowerCase())
    if (twin !== undefined) raw.report(`differs from "${twin}" in letter case only`)
    spelling.set(name.toLowerCase(), name)
    const attribute = readAttribute(name, raw, owner)
    if (attribute) attributes.set(name, attribute)
  }
  return attributes
}

function readKind(raw: SchemaObject): ContentType['kind'] {
  const kind = raw.string('kind') ?? 'collectionType'
  if (kind !== 'collectionType' && kind !== 'singleType')
    raw.report('must be "collectionType" or "singleType"', 'kind')
  return kind === 'singleType' ? 'single' : 'collection'
}

function apiId(info: SchemaObject, key: 'singularName' | 'pluralName') {
  const id = info.string(key)
  if (id !== null && !isApiId(id))
    info.report('must start with a letter and have letters, digits, - and _ only', key)
  return id
}

function readTable(uid: string, raw: SchemaObject, plural: string) {
  const table = tableName(raw.string('collectionName') ?? plural)
  if (!isBuiltIn(uid) && !isFreeTable(table)) {
    raw.report(`the table name "${table}" is kept for the server itself`, 'collectionName')
  }
  return table
}

function readIndexes(options: SchemaObject, attributes: ReadonlyMap<string, Attribute>) {
  const indexes = options.value('indexes') ?? []
  const isIndex = (index: unknown): index is string[] =>
    Array.isArray(index) && index.length > 0 && index.every((name) => attributes.get(name)?.kind === 'scalar')
  if (Array.isArray(indexes) && indexes.every(isIndex)) return indexes
  options.report('must be a list of lists of scalar attribute names', 'indexes')
  return []
}
