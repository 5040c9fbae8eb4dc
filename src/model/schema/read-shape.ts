/** Reads content-types and components one by one. What they say about each other is checked in `check-links.ts`. */
import { componentUid, type SchemaSource, typeUid } from '../../project/source.ts'
import { isBuiltIn } from '../built-in-types.ts'
import type { Attribute, Component, ContentType, ScalarAttribute } from '../model.ts'
import {
  defaultPlural,
  isApiId,
  isFreeTable,
  isUidPart,
  MAX_API_ID_LENGTH,
  nameProblem,
  tableName,
} from '../naming.ts'
import { scalarTypes } from '../scalars/index.ts'
import { type Owner, readAttribute } from './read-attribute.ts'
import type { SchemaObject } from './schema-object.ts'

/** A content-type or component together with the JSON it was read from. */
export interface ReadShape<T> {
  readonly shape: T
  readonly schema: SchemaObject
  /** The JSON of each attribute, including those that an extension adds. */
  readonly declared: ReadonlyMap<string, SchemaObject>
}

export interface Shapes {
  readonly types: ReadonlyMap<string, ReadShape<ContentType>>
  readonly components: ReadonlyMap<string, ReadShape<Component>>
}

/** The content-type of a schema file, without its invalid attributes; problems are reported to `schema`. */
export function readType(
  { uid }: SchemaSource,
  schema: SchemaObject,
  extension: SchemaObject | null,
): ReadShape<ContentType> {
  checkUid(uid.replace(/^[a-z]+::/, ''), schema)
  schema.checkSpelling(TYPE_KEYS)
  const options = schema.object('options')
  options.checkSpelling(OPTION_KEYS)
  const info = schema.object('info')
  info.checkSpelling(INFO_KEYS)
  const localized = schema.object('pluginOptions').object('i18n').boolean('localized')
  const singular = apiId(info, 'singularName') ?? uid.split('.').at(-1) ?? uid
  const plural = apiId(info, 'pluralName') ?? defaultPlural(singular)
  for (const [key, name] of Object.entries({ singularName: singular, pluralName: plural }))
    if (name.length > MAX_API_ID_LENGTH)
      info.report(`must have at most ${MAX_API_ID_LENGTH} characters, because it is part of URLs`, key)
  const declared = declarations(schema, extension)
  const attributes = readAttributes(declared, { kind: 'type', localized })
  const draftAndPublish = options.boolean('draftAndPublish')
  const shape: ContentType = {
    uid,
    kind: readKind(schema),
    singular,
    plural,
    displayName: info.string('displayName') ?? singular,
    description: info.string('description') ?? '',
    table: readTable(uid, schema, plural),
    draftAndPublish,
    history: options.boolean('history', draftAndPublish),
    localized,
    generated: !isBuiltIn(uid),
    ...(schema.object('options').boolean('populateCreatorFields') && { showsCreators: true }),
    ...formerUid(schema, (name) => (name.includes('::') ? name : typeUid(name, name))),
    ...readSearch(options, attributes),
    indexes: readIndexes(options, attributes),
    attributes,
  }
  return { shape, schema, declared }
}

/** The component of a schema file. */
export function readComponent({ uid }: SchemaSource, schema: SchemaObject): ReadShape<Component> {
  checkUid(uid, schema)
  schema.checkSpelling(KEYS)
  const [category = '', name = ''] = uid.split('.')
  const displayName = schema.object('info').string('displayName') ?? name
  const declared = declarations(schema, null)
  const attributes = readAttributes(declared, { kind: 'component', localized: false })
  const former = formerUid(schema, (name) => (name.includes('.') ? name : componentUid(category, name)))
  return { shape: { uid, kind: 'component', category, displayName, ...former, attributes }, schema, declared }
}

/** The keys of schema files that have a meaning, and those of their parts. */
const KEYS = ['collectionName', 'info', 'options', 'pluginOptions', 'attributes', 'renamedFrom']
export const TYPE_KEYS = [...KEYS, 'kind']
export const OPTION_KEYS = ['draftAndPublish', 'history', 'indexes', 'populateCreatorFields', 'search']
export const INFO_KEYS = ['singularName', 'pluralName', 'displayName', 'description', 'renamedFrom']

/** The former uid, declared as a uid or as a name. */
function formerUid(schema: SchemaObject, uidOf: (name: string) => string) {
  const name = schema.object('info').string('renamedFrom') ?? schema.string('renamedFrom')
  return name === null ? {} : { renamedFrom: uidOf(name) }
}

function checkUid(name: string, schema: SchemaObject) {
  const parts = name.split('.')
  if (parts.length !== 2 || !parts.every(isUidPart)) {
    schema.report('the names of its folder and file may only contain letters, digits, - and _')
  }
}

/** An extension may repeat the attributes of the built-in type; those are ignored. */
function declarations(schema: SchemaObject, extension: SchemaObject | null) {
  const own = schema.object('attributes')
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
  for (const [name, schema] of declared) {
    const problem = nameProblem(name, owner.kind)
    if (problem) schema.report(problem)
    const twin = spelling.get(name.toLowerCase())
    if (twin !== undefined) schema.report(`differs from "${twin}" only in letter case`)
    spelling.set(name.toLowerCase(), name)
    const attribute = readAttribute(name, schema, owner)
    if (attribute) attributes.set(name, attribute)
  }
  return attributes
}

function readKind(schema: SchemaObject): ContentType['kind'] {
  const kind = schema.string('kind') ?? 'collectionType'
  if (kind !== 'collectionType' && kind !== 'singleType')
    schema.report('must be "collectionType" or "singleType"', 'kind')
  return kind === 'singleType' ? 'single' : 'collection'
}

function apiId(info: SchemaObject, key: 'singularName' | 'pluralName') {
  const id = info.string(key)
  if (id !== null && !isApiId(id))
    info.report('must start with a letter and may only contain letters, digits, - and _', key)
  return id
}

function readTable(uid: string, schema: SchemaObject, plural: string) {
  const table = tableName(schema.string('collectionName') ?? plural)
  if (!isBuiltIn(uid) && !isFreeTable(table)) {
    schema.report(`the table name "${table}" is reserved`, 'collectionName')
  }
  return table
}

function readIndexes(options: SchemaObject, attributes: ReadonlyMap<string, Attribute>) {
  const indexes = options.value('indexes') ?? []
  const isIndex = (index: unknown): index is string[] =>
    Array.isArray(index) && index.length > 0 && index.every((name) => attributes.get(name)?.kind === 'scalar')
  if (Array.isArray(indexes) && indexes.every(isIndex)) return indexes
  options.report('must be an array of arrays of scalar attribute names', 'indexes')
  return []
}

/** The attributes of the search index: the listed ones, or with `true` every one that `_q` searches for a part of its text. */
function readSearch(options: SchemaObject, attributes: ReadonlyMap<string, Attribute>) {
  const search = options.value('search') ?? false
  if (search === false) return {}
  if (
    search !== true &&
    !(Array.isArray(search) && search.every((name) => hasSearchableText(attributes.get(name))))
  ) {
    options.report('must be true, false, or an array of text attributes that are not private', 'search')
    return {}
  }
  const names = [...attributes.values()]
    .filter((one) =>
      search === true ? hasSearchableText(one) && one.searchable !== false : search.includes(one.name),
    )
    .map(({ name }) => name)
  return names.length === 0 ? {} : { search: names }
}

/** Private text is never indexed: how long a search takes could reveal what it is. */
const hasSearchableText = (attribute: Attribute | undefined): attribute is ScalarAttribute =>
  attribute?.kind === 'scalar' && !attribute.private && scalarTypes[attribute.type].search === 'contains'
