/** The JSON of content-types and components, as schema files have it. Keys that are not listed are kept as they are. */

export interface AttributeSchema {
  readonly type: string
  readonly required?: boolean
  readonly unique?: boolean
  readonly private?: boolean
  readonly writable?: boolean
  readonly searchable?: boolean
  readonly default?: unknown
  readonly min?: number | string
  readonly max?: number | string
  readonly minLength?: number
  readonly maxLength?: number
  readonly regex?: string
  readonly enum?: readonly string[]
  readonly targetField?: string
  readonly multiple?: boolean
  readonly allowedTypes?: readonly string[]
  readonly relation?: string
  readonly target?: string
  readonly inversedBy?: string
  readonly mappedBy?: string
  readonly morphBy?: string
  readonly component?: string
  readonly components?: readonly string[]
  readonly repeatable?: boolean
  readonly renamedFrom?: string
  readonly options?: { readonly generate?: boolean; readonly [key: string]: unknown }
  readonly pluginOptions?: PluginOptions
  readonly [key: string]: unknown
}

interface PluginOptions {
  readonly i18n?: { readonly localized?: boolean }
  readonly [key: string]: unknown
}

export type Attributes = Readonly<Record<string, AttributeSchema>>

/** A content-type or component. */
export interface Schema {
  readonly uid: string
  readonly kind?: 'collectionType' | 'singleType'
  /** Users, roles and files, which cannot be changed here. */
  readonly builtIn?: boolean
  readonly collectionName?: string
  readonly info: SchemaInfo
  readonly options?: SchemaOptions
  readonly pluginOptions?: PluginOptions
  readonly attributes: Attributes
  readonly [key: string]: unknown
}

export interface SchemaInfo {
  readonly singularName?: string
  readonly pluralName?: string
  readonly displayName?: string
  readonly description?: string
  readonly icon?: string
  readonly [key: string]: unknown
}

export interface SchemaOptions {
  readonly draftAndPublish?: boolean
  readonly history?: boolean
  readonly populateCreatorFields?: boolean
  readonly indexes?: readonly (readonly string[])[]
  readonly search?: boolean | readonly string[]
  readonly [key: string]: unknown
}

export const isType = (uid: string) => uid.includes('::')

export const isSingle = ({ kind }: Schema) => kind === 'singleType'

export const isLocalized = ({ pluginOptions }: Pick<Schema, 'pluginOptions'>) =>
  pluginOptions?.i18n?.localized === true

/** The name of a content-type or component for people. */
export const nameOf = ({ uid, info }: Schema) =>
  info.displayName ?? info.singularName ?? uid.split('.').at(-1) ?? uid

export const categoryOf = ({ uid }: Schema) => uid.split('.')[0] ?? ''

/** The content-types and components that an attribute refers to. */
export const referencesOf = ({ target, component, components }: AttributeSchema): readonly string[] => [
  ...(target === undefined ? [] : [target]),
  ...(component === undefined ? [] : [component]),
  ...(components ?? []),
]

/** Sets an option of an attribute; undefined removes it. */
export function withOption(attribute: AttributeSchema, key: string, value: unknown): AttributeSchema {
  const { type, ...options } = { ...attribute, [key]: value }
  return {
    type: String(type),
    ...Object.fromEntries(Object.entries(options).filter(([, each]) => each !== undefined)),
  }
}
