/** The view configuration of Strapi's content manager, as views of the admin app. */
import { type StoredTypeView, SYSTEM_COLUMNS, WIDTHS } from '../../access/team/type-view.ts'
import type { ContentType, Model } from '../../model/model.ts'
import { isServed } from '../../model/privacy.ts'
import { isObject } from '../../project/values.ts'
import type { Overview } from './overview.ts'

const PREFIX = 'plugin_content_manager_configuration_content_types::'
/** Strapi shows at most this many documents on a page, and so do views. */
const MAX_PAGE_SIZE = 100

/** The views of the content-types that the project has, by uid. What a content-type no longer has is left out. */
export function importedViews({ settings }: Overview, model: Model): Map<string, StoredTypeView> {
  const views = new Map<string, StoredTypeView>()
  for (const [key, value] of settings) {
    const type = key.startsWith(PREFIX) ? model.types.get(key.slice(PREFIX.length)) : undefined
    if (type?.generated) views.set(type.uid, viewOf(type, value))
  }
  return views
}

function viewOf(type: ContentType, value: unknown): StoredTypeView {
  const settings = objectIn(value, 'settings')
  const layouts = objectIn(value, 'layouts')
  const { mainField, pageSize, defaultSortBy, defaultSortOrder } = settings
  const isColumn = (name: unknown): name is string =>
    typeof name === 'string' && (name in SYSTEM_COLUMNS || type.attributes.has(name))
  const columns = listIn(layouts, 'list').filter(isColumn)
  const fields = listIn(layouts, 'edit')
    .flat()
    .flatMap((field) => fieldOf(type, field, objectIn(value, 'metadatas')))
  return {
    ...(isMainField(type, mainField) && { mainField }),
    ...(columns.length > 0 && { columns }),
    ...(Number.isInteger(pageSize) && { pageSize: Math.max(1, Math.min(MAX_PAGE_SIZE, Number(pageSize))) }),
    ...(isColumn(defaultSortBy) && {
      defaultSort: `${defaultSortBy}:${defaultSortOrder === 'DESC' ? 'desc' : 'asc'}`,
    }),
    ...(fields.length > 0 && { fields }),
  }
}

function isMainField(type: ContentType, name: unknown): name is string {
  const attribute = typeof name === 'string' ? type.attributes.get(name) : undefined
  return attribute?.kind === 'scalar' && isServed(attribute)
}

/** A field of the form. Labels that Strapi derives from names are not taken over: views have better ones. */
function fieldOf(type: ContentType, field: unknown, metadatas: object) {
  const { name, size } = objectOf(field)
  if (typeof name !== 'string' || !type.attributes.has(name)) return []
  const { label, description, placeholder, visible } = objectIn(objectIn(metadatas, name), 'edit')
  const width = WIDTHS.find((known) => known === size)
  return [
    {
      name,
      ...(isText(label) && label !== name && { label }),
      ...(isText(description) && { help: description }),
      ...(isText(placeholder) && { placeholder }),
      ...(width !== undefined && { width }),
      ...(visible === false && { hidden: true }),
    },
  ]
}

const MAX_TEXT_LENGTH = 500

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH

const objectOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

const objectIn = (value: unknown, key: string) => objectOf(objectOf(value)[key])

function listIn(value: unknown, key: string): readonly unknown[] {
  const list = objectOf(value)[key]
  return Array.isArray(list) ? list : []
}
