/** What a form reads with a document: entries with everything in them, and the names of related documents. */
import type { AttributeView, ContentTypeView } from '../../api/types.ts'
import { attributesOf, isPolymorphic, isZone, type Schema } from '../schema.ts'

type Populate = Record<string, unknown>

/** Components can contain each other; content never does beyond this. */
const MAX_DEPTH = 6

/** The `populate` parameter for the attributes of a document. */
export function populateOf(
  schema: Schema,
  attributes: readonly AttributeView[],
  depth = 0,
): Populate | undefined {
  if (depth > MAX_DEPTH) return undefined
  const populate = attributes.flatMap((attribute): [string, unknown][] => {
    if (attribute.readable === false) return []
    if (attribute.type === 'media') return [[attribute.name, true]]
    if (attribute.type === 'relation') return [[attribute.name, relatedFields(schema, attribute)]]
    if (attribute.type === 'component')
      return [[attribute.name, entryFields(schema, attribute.component ?? '', depth)]]
    if (isZone(attribute)) {
      const components = (attribute.components ?? []).map((uid) => [uid, entryFields(schema, uid, depth)])
      return [[attribute.name, { on: Object.fromEntries(components) }]]
    }
    return []
  })
  return populate.length === 0 ? undefined : Object.fromEntries(populate)
}

function entryFields(schema: Schema, component: string, depth: number): unknown {
  const populate = populateOf(schema, attributesOf(schema, component), depth + 1)
  return populate ? { populate } : true
}

function relatedFields(schema: Schema, attribute: AttributeView): unknown {
  if (isPolymorphic(attribute))
    return { on: Object.fromEntries([...schema.types.values()].map((type) => [type.uid, mainFieldOf(type)])) }
  const target = schema.types.get(attribute.target ?? '')
  return target ? mainFieldOf(target) : true
}

/** The field that names a document; `documentId` when the type has none that can be read. */
const mainFieldOf = ({ attributes, view }: ContentTypeView) => ({
  fields: [attributes.some(({ name }) => name === view.mainField) ? view.mainField : 'documentId'],
})
