/** The tables, columns and indexes that a model needs. Does no I/O; `migrate.ts` creates them. */
import {
  type Attribute,
  type ContentType,
  FILE,
  holdsEntries,
  type Model,
  type ScalarAttribute,
  USER,
} from '../../model/model.ts'
import { isServed } from '../../model/privacy.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import type { Dialect } from '../dialect.ts'
import type { SearchIndex } from '../search/search-dialect.ts'
import { searchIndexOf } from '../search/search-index.ts'
import { MIME_COLUMN } from './file-kind.ts'
import { identifier } from './identifier.ts'
import { fitting, isLong, repeatsEmpty } from './indexed.ts'
import { columnOf, ownedRelations, relationKeyText } from './layout.ts'
import { uniqueAttributesIn } from './unique-values.ts'

/** A part of an index: a column, or a digest or prefix of it if values may be too long for an index of PostgreSQL. */
export interface IndexPart {
  readonly column: string
  readonly digest: boolean
  readonly beginning?: true
  /** The kind of a file instead of its MIME type. */
  readonly fileKind?: true
}

export interface Index {
  readonly name: string
  readonly unique: boolean
  readonly parts: readonly IndexPart[]
  /** Whether it covers only published versions. */
  readonly publishedOnly: boolean
  /** Covers only rows whose last column contains this text. */
  readonly holding?: string
  /** Covers only rows whose last column has text: null and the empty string may be repeated in a unique index. */
  readonly filledOnly?: true
}

export interface Column {
  readonly name: string
  /** The column type of the engine. */
  readonly type: string
}

/** The table of a content-type. Stored in the database, to detect changes at the next start. */
export interface TypeTable {
  readonly table: string
  readonly localized: boolean
  readonly draftAndPublish: boolean
  /** The columns of its attributes. */
  readonly columns: readonly Column[]
  readonly indexes: readonly Index[]
  /** What the `served` column contains, in order. */
  readonly served: readonly string[]
  /** Absent if the type has none. */
  readonly search?: SearchIndex
}

export interface TargetTables {
  readonly types: Readonly<Record<string, TypeTable>>
  /** The keys of relations as text. */
  readonly relations: readonly string[]
  /** The unique attributes of components, by content-type and component; absent if there are none. */
  readonly uniqueInComponents?: readonly (readonly [
    type: string,
    component: string,
    names: readonly string[],
  ])[]
}

/** Everything that the database needs for this model; without search indexes where it cannot have them. */
export function targetTables(model: Model, dialect: Dialect, hasSearch: boolean): TargetTables {
  const unique = [...model.types.values()].flatMap((type) =>
    [...uniqueAttributesIn(model, type)].map(([component, names]) => [type.uid, component, names] as const),
  )
  return {
    ...(unique.length > 0 && { uniqueInComponents: unique }),
    types: Object.fromEntries(
      [...model.types].map(([uid, type]) => [uid, typeTable(type, dialect, hasSearch)]),
    ),
    relations: ownedRelations(model).map(relationKeyText),
  }
}

function typeTable(type: ContentType, dialect: Dialect, hasSearch: boolean): TypeTable {
  const search = hasSearch ? searchIndexOf(type) : null
  const attributes = [...type.attributes.values()]
  const columns = attributes.flatMap((attribute) => {
    const column = columnType(attribute, dialect)
    return column === null ? [] : [{ name: columnOf(attribute.name), type: column }]
  })
  return {
    table: type.table,
    localized: type.localized,
    draftAndPublish: type.draftAndPublish,
    columns,
    indexes: indexesOf(type, dialect),
    served: [
      ...attributes.flatMap((a) => (a.kind === 'scalar' && isServed(a) ? [`${a.name} ${a.type}`] : [])),
      ...(type.localized ? ['locale'] : []),
    ],
    ...(search && { search }),
  }
}

/** Relations and media have no column: they are stored as edges. */
function columnType(attribute: Attribute, dialect: Dialect): string | null {
  if (attribute.kind === 'scalar') return scalarTypes[attribute.type].column[dialect.name]
  if (holdsEntries(attribute)) return dialect.jsonType
  return null
}

type MakeIndex = (
  suffix: string,
  unique: boolean,
  publishedOnly: boolean,
  parts: readonly IndexPart[],
) => Index

const indexMaker =
  ({ table }: ContentType): MakeIndex =>
  (suffix, unique, publishedOnly, parts) => ({
    name: identifier(`${table}_${suffix}`),
    unique,
    publishedOnly,
    parts,
  })

function indexesOf(type: ContentType, dialect: Dialect): Index[] {
  const make = indexMaker(type)
  const uniques = [...type.attributes.values()]
    .filter((attribute) => attribute.kind === 'scalar')
    .filter((attribute) => attribute.unique)
    .flatMap((attribute) => {
      const column = columnOf(attribute.name)
      const parts = [part('locale'), { column, digest: isLong(attribute) }]
      const index = make(`${column}_unique`, true, true, parts)
      if (!repeatsEmpty(attribute)) return [index]
      const isReadByAnother =
        (dialect.limitsIndexedLength && isLong(attribute)) ||
        type.indexes.some(([first]) => first === attribute.name)
      return [
        { ...index, filledOnly: true as const },
        // No engine uses an index without the empty strings for a filter or a sort.
        ...(isReadByAnother
          ? []
          : [make(`${column}_value`, false, true, ['published', 'locale', column, 'id'].map(part))]),
      ]
    })
  // Covers drafts too: a generated uid must differ from those of all other documents.
  const generated = [...type.attributes.values()]
    .filter((attribute) => attribute.kind === 'scalar' && attribute.generate && !isLong(attribute))
    .map(({ name }) => make(`${columnOf(name)}_taken`, false, false, ['locale', columnOf(name)].map(part)))
  return [
    make('version', true, false, ['document_id', 'published', 'locale'].map(part)),
    make('page', false, false, ['published', 'locale', 'id'].map(part)),
    ...uniques,
    ...generated,
    ...(type.uid === USER ? [{ ...make('addresses', false, false, ADDRESSES), holding: '@' }] : []),
    ...(type.uid === FILE ? [make('kind', false, false, KIND)] : []),
    ...declaredIndexes(type, dialect),
  ]
}

/** The indexes that a content-type declares (`options.indexes`). */
export function declaredIndexes(type: ContentType, dialect: Dialect): readonly Index[] {
  const make = indexMaker(type)
  return type.indexes
    .map((names) => names.flatMap((name) => scalarOf(type, name)))
    .filter((attributes) => attributes.length > 0)
    .map((attributes) => {
      const indexed = dialect.limitsIndexedLength ? fitting(attributes) : attributes
      return make(`${attributes.map(({ name }) => columnOf(name)).join('_')}_index`, false, false, [
        ...['published', 'locale'].map(part),
        ...indexed.map((attribute) => declaredPart(attribute, dialect)),
        part('id'),
      ])
    })
}

const part = (column: string): IndexPart => ({ column, digest: false })

/** User names that look like an e-mail address: they are few, and checked with each new address. */
const ADDRESSES = ['published', 'locale', columnOf('username')].map(part)

const KIND: readonly IndexPart[] = [
  part('published'),
  part('locale'),
  { ...part(MIME_COLUMN), fileKind: true },
  part('id'),
]

function declaredPart(attribute: ScalarAttribute, dialect: Dialect): IndexPart {
  const whole = part(columnOf(attribute.name))
  return dialect.limitsIndexedLength && isLong(attribute) ? { ...whole, beginning: true } : whole
}

const scalarOf = ({ attributes }: ContentType, name: string): readonly ScalarAttribute[] => {
  const attribute = attributes.get(name)
  return attribute?.kind === 'scalar' ? [attribute] : []
}
