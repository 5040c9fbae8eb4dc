/** Schema files: their JSON and their location. `model` interprets them. */

export interface SchemaSource {
  readonly kind: 'type' | 'component' | 'extension'
  /** `api::restaurant.restaurant`, `shared.seo`, or the built-in type that an extension extends. */
  readonly uid: string
  /** Relative to the project folder. */
  readonly file: string
  /** The parsed JSON. */
  readonly schema: unknown
}

export const typeUid = (api: string, name: string) => `api::${api}.${name}`
export const componentUid = (category: string, name: string) => `${category}.${name}`

/** The file that defines a content-type or component. */
export function schemaFile(kind: 'type' | 'component', uid: string) {
  const [first = '', second = ''] = uid.replace(/^api::/, '').split('.')
  return kind === 'type'
    ? `src/api/${first}/content-types/${second}/schema.json`
    : `src/components/${first}/${second}.json`
}

/** The file that extends a content-type of a plugin, or defines one: `plugin::name.type`. */
export function extensionFile(uid: string) {
  const [plugin = '', type = ''] = uid.replace(/^plugin::/, '').split('.')
  return `src/extensions/${plugin}/content-types/${type}/schema.json`
}
