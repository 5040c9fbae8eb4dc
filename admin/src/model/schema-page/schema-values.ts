/** The settings of a content-type or component as the values of a form. Pure. */
import { baseOf, type ModelDraft, updateSchema, withSchema } from '../draft/draft.ts'
import { isLocalized, isSingle, type Schema } from '../draft/schema.ts'
import { renameSchema } from '../draft/schemas.ts'
import { pluralOf } from './api-names.ts'

export interface SchemaValues {
  readonly displayName: string
  readonly description: string
  readonly isSingle: boolean
  readonly singular: string
  readonly plural: string
  readonly draftAndPublish: boolean
  readonly localized: boolean
  readonly history: boolean
  readonly showsCreators: boolean
  readonly indexes: readonly (readonly string[])[]
  /** Of components. */
  readonly category: string
  readonly icon: string
}

export const NEW_SCHEMA: SchemaValues = {
  displayName: '',
  description: '',
  isSingle: false,
  singular: '',
  plural: '',
  draftAndPublish: true,
  localized: false,
  history: true,
  showsCreators: false,
  indexes: [],
  category: 'shared',
  icon: '',
}

export function valuesOf(schema: Schema): SchemaValues {
  const { uid, info, options = {} } = schema
  const draftAndPublish = options.draftAndPublish === true
  const singular = info.singularName ?? uid.split('.').at(-1) ?? ''
  return {
    displayName: info.displayName ?? singular,
    description: info.description ?? '',
    isSingle: isSingle(schema),
    singular,
    plural: info.pluralName ?? pluralOf(singular),
    draftAndPublish,
    localized: isLocalized(schema),
    history: options.history ?? draftAndPublish,
    showsCreators: options.populateCreatorFields === true,
    indexes: options.indexes ?? [],
    category: uid.split('.')[0] ?? '',
    icon: info.icon ?? '',
  }
}

const uidOf = (kind: 'type' | 'component', { singular, category }: SchemaValues) =>
  kind === 'type' ? `api::${singular}.${singular}` : `${category}.${singular}`

/** Without the keys that have no value, so that files stay short. */
const present = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''))

function typeSchema(schema: Schema | undefined, uid: string, values: SchemaValues): Schema {
  const { i18n, ...plugins } = schema?.pluginOptions ?? {}
  const { draftAndPublish, history } = values
  const indexes = values.indexes.filter((index) => index.length > 0)
  const pluginOptions = values.localized ? { ...plugins, i18n: { ...i18n, localized: true } } : plugins
  const options = present({
    ...(schema ? schema.options : { search: true }),
    draftAndPublish,
    history: history === draftAndPublish ? undefined : history,
    populateCreatorFields: values.showsCreators ? true : undefined,
    indexes: indexes.length > 0 ? indexes : undefined,
  })
  return {
    ...schema,
    uid,
    kind: values.isSingle ? 'singleType' : 'collectionType',
    info: present({
      ...schema?.info,
      singularName: values.singular,
      pluralName: values.plural,
      displayName: values.displayName,
      description: values.description,
    }),
    options,
    ...(Object.keys(pluginOptions).length > 0 || schema?.pluginOptions ? { pluginOptions } : {}),
    attributes: schema?.attributes ?? {},
  }
}

const componentSchema = (schema: Schema | undefined, uid: string, values: SchemaValues): Schema => ({
  ...schema,
  uid,
  info: present({
    ...schema?.info,
    displayName: values.displayName,
    description: values.description,
    icon: values.icon,
  }),
  attributes: schema?.attributes ?? {},
})

/** Adds a schema, or changes the one with the uid `previous`. A new name of the API renames it. */
export function putSchemaValues(
  draft: ModelDraft,
  kind: 'type' | 'component',
  previous: string | null,
  values: SchemaValues,
): ModelDraft {
  const schemaFor = kind === 'type' ? typeSchema : componentSchema
  const uid = nextUid(draft, kind, previous, values)
  if (previous === null) return withSchema(draft, schemaFor(undefined, uid, values))
  return updateSchema(renameSchema(draft, previous, uid), uid, (schema) => schemaFor(schema, uid, values))
}

/** A type whose folder has another name than the API keeps its uid until its name in the API changes. */
export function nextUid(
  draft: ModelDraft,
  kind: 'type' | 'component',
  previous: string | null,
  values: SchemaValues,
): string {
  const before = previous === null ? undefined : draft.schemas.get(previous)
  if (previous === null || !before) return uidOf(kind, values)
  if (kind === 'type' && valuesOf(before).singular === values.singular) return previous
  const saved = baseOf(draft, previous)
  if (kind === 'type' && saved && valuesOf(saved).singular === values.singular) return saved.uid
  return uidOf(kind, values)
}
