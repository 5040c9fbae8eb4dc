/** The columns that a list of a content-type can have. */
import type { AttributeView, ContentTypeView } from '../../api/types.ts'
import { fieldType } from '../../fields/index.ts'
import { texts } from '../../texts.ts'

export interface Column {
  readonly name: string
  readonly label: string
  /** Null for what the server knows about every document. */
  readonly attribute: AttributeView | null
  readonly isSortable: boolean
  /** In pixels, until the person resizes it. */
  readonly width: number
}

const SYSTEM: readonly Omit<Column, 'attribute'>[] = [
  { name: 'status', label: texts.list.status, isSortable: false, width: 112 },
  { name: 'locales', label: texts.list.locales, isSortable: false, width: 120 },
  { name: 'updatedAt', label: texts.list.updatedAt, isSortable: true, width: 130 },
  { name: 'createdAt', label: texts.list.createdAt, isSortable: true, width: 150 },
  { name: 'publishedAt', label: texts.list.publishedAt, isSortable: true, width: 150 },
  { name: 'updatedBy', label: texts.list.updatedBy, isSortable: false, width: 140 },
  { name: 'createdBy', label: texts.list.createdBy, isSortable: false, width: 140 },
  { name: 'documentId', label: texts.list.documentId, isSortable: false, width: 220 },
]

/** Types whose values do not fit into a line of a list. */
const NOT_SHOWN = new Set(['component', 'dynamiczone', 'password'])
const WIDTHS: Readonly<Record<string, number>> = {
  media: 88,
  boolean: 90,
  integer: 100,
  decimal: 110,
  float: 100,
  time: 90,
}

/** Every column in the order of the form, then those of the server. */
export function availableColumns(type: ContentTypeView): readonly Column[] {
  const labels = new Map(type.view.fields.map(({ name, label }) => [name, label]))
  const attributes = type.attributes
    .filter((attribute) => !NOT_SHOWN.has(attribute.type) && attribute.readable !== false)
    .map((attribute) => ({
      name: attribute.name,
      label: labels.get(attribute.name) ?? attribute.name,
      attribute,
      isSortable: fieldType(attribute.type).isSortable,
      width: attribute.name === type.view.mainField ? 240 : (WIDTHS[attribute.type] ?? 160),
    }))
  const known = new Set(attributes.map(({ name }) => name))
  const isOffered = ({ name }: { readonly name: string }) =>
    !known.has(name) &&
    (name !== 'status' || type.draftAndPublish) &&
    (name !== 'publishedAt' || type.draftAndPublish) &&
    (name !== 'locales' || type.localized)
  return [...attributes, ...SYSTEM.filter(isOffered).map((column) => ({ ...column, attribute: null }))]
}

/** The columns with these names. The main field is always the first: it leads to the document. */
export function shownColumns(type: ContentTypeView, names: readonly string[] | undefined): readonly Column[] {
  const available = new Map(availableColumns(type).map((column) => [column.name, column]))
  const { mainField, columns } = type.view
  const wanted = names ?? columns
  const ordered = [mainField, ...wanted.filter((name) => name !== mainField)]
  return ordered.flatMap((name) => available.get(name) ?? [])
}

/** What the list must read for its columns. */
export function columnParameters(type: ContentTypeView, columns: readonly Column[]) {
  const attributes = columns.flatMap(({ attribute }) => attribute ?? [])
  const isPopulated = ({ type: kind }: AttributeView) => kind === 'media' || kind === 'relation'
  const fields = attributes.filter((attribute) => !isPopulated(attribute)).map(({ name }) => name)
  const instants = columns
    .map(({ name }) => name)
    .filter((name) => name.endsWith('At') && !fields.includes(name))
  const populated = attributes.filter(isPopulated).map(({ name }) => [name, true])
  return {
    fields: [...new Set([...fields, ...instants, ...mainFieldOf(type)])],
    ...(populated.length > 0 && { populate: Object.fromEntries(populated) }),
  }
}

const mainFieldOf = ({ attributes, view }: ContentTypeView) =>
  attributes.some(({ name }) => name === view.mainField) ? [view.mainField] : ['documentId']
