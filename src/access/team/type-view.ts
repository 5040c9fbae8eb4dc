/** How the admin app shows the documents of a content-type: what admins configured, completed with defaults. Pure. */
import { type Attribute, type ContentType, holdsEntries } from '../../model/model.ts'
import { isServed } from '../../model/privacy.ts'
import { scalarTypes } from '../../model/scalars/index.ts'

/** Columns of the twelve that a field takes in the form. */
export const WIDTHS = [3, 4, 6, 8, 9, 12] as const
export type Width = (typeof WIDTHS)[number]

export interface FieldView {
  readonly name: string
  readonly label: string
  readonly help: string | null
  readonly placeholder: string | null
  readonly width: Width
  readonly hidden: boolean
}

export interface TypeView {
  /** Its name in the navigation. */
  readonly label: string
  /** Name of an icon of the admin app. */
  readonly icon: string | null
  /** The attribute that names a document in lists and relations. */
  readonly mainField: string
  /** All that a list shows, unless the person chooses others. */
  readonly columns: readonly string[]
  readonly pageSize: number
  readonly defaultSort: string
  /** Page that shows a document, with placeholders (`isPlaceholder`) for what identifies it. */
  readonly previewUrl: string | null
  /** In the order of the form. */
  readonly fields: readonly FieldView[]
}

/** What admins configured of it; what is absent has its default. */
export type StoredTypeView = Partial<Omit<TypeView, 'fields'>> & {
  readonly fields?: readonly (Pick<FieldView, 'name'> & Partial<FieldView>)[]
}

const TITLE_NAMES = ['title', 'name', 'displayName', 'label', 'headline', 'subject']
/** As many as fit beside the status on a usual screen. */
const DEFAULT_ATTRIBUTES = 3
const DEFAULT_PAGE_SIZE = 25
/** By id, which is as fast for a million documents as for a thousand; no index has the time of the last change. */
const NEWEST_FIRST = 'id:desc'

/** The view of a type. Configured fields come first, in their order; what the model no longer has is left out. */
export function typeViewOf(type: ContentType, stored: StoredTypeView = {}): TypeView {
  const known = (name: string) => name in SYSTEM_COLUMNS || type.attributes.has(name)
  const mainField =
    stored.mainField !== undefined && known(stored.mainField) ? stored.mainField : defaultMainField(type)
  const configured = (stored.fields ?? []).filter(({ name }) => type.attributes.has(name))
  const isConfigured = new Set(configured.map(({ name }) => name))
  const others = [...type.attributes.keys()].filter((name) => !isConfigured.has(name))
  return {
    label: stored.label ?? defaultLabel(type),
    icon: stored.icon ?? null,
    mainField,
    columns: stored.columns?.filter(known) ?? defaultColumns(type, mainField),
    pageSize: stored.pageSize ?? DEFAULT_PAGE_SIZE,
    defaultSort:
      stored.defaultSort !== undefined && isSort(type, stored.defaultSort)
        ? stored.defaultSort
        : NEWEST_FIRST,
    previewUrl: stored.previewUrl ?? null,
    fields: [...configured, ...others.map((name) => ({ name }))].flatMap((field) => {
      const attribute = type.attributes.get(field.name)
      return attribute ? [{ ...defaultField(attribute), ...field }] : []
    }),
  }
}

/** Collections by their plural: `front-pages` becomes "Front pages". */
const defaultLabel = ({ kind, plural, displayName }: ContentType) =>
  kind === 'collection' ? labelOf(plural) : displayName

/** Columns that every type can show. */
export const SYSTEM_COLUMNS: Readonly<Record<string, true>> = {
  ...{ id: true, documentId: true, createdAt: true, updatedAt: true, publishedAt: true },
  ...{ locale: true, locales: true, status: true, createdBy: true, updatedBy: true },
}

const SORTABLE_COLUMNS = ['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt']

/** Whether lists of this type can be sorted by it, such as `title:asc`. */
export function isSort(type: ContentType, sort: string): boolean {
  const [name = '', order = 'asc', ...rest] = sort.split(':')
  const attribute = type.attributes.get(name)
  const isSortable = attribute
    ? attribute.kind === 'scalar' && isServed(attribute)
    : SORTABLE_COLUMNS.includes(name)
  return isSortable && ['asc', 'desc'].includes(order) && rest.length === 0
}

/** What the address of a preview can contain in braces. */
export const PREVIEW_PLACEHOLDERS = ['documentId', 'locale', 'status']

/** The name in each placeholder of the address of a preview, such as `slug` in `/articles/{slug}`. */
export const placeholdersOf = (previewUrl: string): readonly string[] =>
  [...previewUrl.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)

/** Whether the app can replace it: by what it knows of every document, or by a single value of this type. */
export function isPlaceholder(type: ContentType, name: string): boolean {
  const attribute = type.attributes.get(name)
  return PREVIEW_PLACEHOLDERS.includes(name) || (attribute?.kind === 'scalar' && isServed(attribute))
}

/** Whether people can tell documents apart by it. */
const isTitle = (attribute: Attribute) =>
  attribute.kind === 'scalar' &&
  isServed(attribute) &&
  ['string', 'text', 'email', 'uid'].includes(attribute.type)

function defaultMainField({ attributes }: ContentType): string {
  const titles = [...attributes.values()].filter(isTitle).map(({ name }) => name)
  return TITLE_NAMES.find((name) => titles.includes(name)) ?? titles[0] ?? 'documentId'
}

const isShort = (attribute: Attribute) =>
  attribute.kind === 'scalar' && isServed(attribute) && !LONG_TYPES.has(attribute.type)

function defaultColumns(
  { attributes, draftAndPublish, localized }: ContentType,
  mainField: string,
): readonly string[] {
  const media = [...attributes.values()].filter(({ kind }) => kind === 'media').slice(0, 1)
  const short = [...attributes.values()].filter(isShort)
  const names = [...media, ...short].map(({ name }) => name).filter((name) => name !== mainField)
  return [
    mainField,
    ...names.slice(0, DEFAULT_ATTRIBUTES - 1),
    ...(draftAndPublish ? ['status'] : []),
    ...(localized ? ['locales'] : []),
    'updatedAt',
  ]
}

/** Types whose values need the whole width. */
const LONG_TYPES: ReadonlySet<string> = new Set(['text', 'richtext', 'blocks', 'json'])

const isWide = (attribute: Attribute) =>
  attribute.kind === 'scalar'
    ? LONG_TYPES.has(attribute.type) || scalarTypes[attribute.type].family === 'json'
    : holdsEntries(attribute)

const defaultField = (attribute: Attribute): FieldView => ({
  name: attribute.name,
  label: labelOf(attribute.name),
  help: null,
  placeholder: null,
  width: isWide(attribute) ? 12 : 6,
  hidden: false,
})

/** `publishedOn` and `published_on` become "Published on". */
function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
