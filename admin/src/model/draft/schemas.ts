/** Renames and removes content-types and components, with all references to them. Pure. */
import type { ModelDraft } from './draft.ts'
import { type AttributeSchema, type Attributes, referencesOf, type Schema } from './schema.ts'

/** Changes the uid of a schema; what refers to it refers to the new uid. */
export function renameSchema(draft: ModelDraft, uid: string, next: string): ModelDraft {
  const schema = draft.schemas.get(uid)
  if (!schema || uid === next || draft.schemas.has(next)) return draft
  const origin = draft.renames.get(uid) ?? (draft.base.has(uid) ? uid : undefined)
  const renames = new Map([...draft.renames].filter(([to]) => to !== uid))
  if (origin !== undefined && origin !== next) renames.set(next, origin)
  const schemas = [...draft.schemas.values()].map((each) =>
    withRenamedReferences(each === schema ? { ...schema, uid: next } : each, uid, next),
  )
  return { ...draft, renames, schemas: new Map(schemas.map((each) => [each.uid, each])) }
}

/** Removes a schema, the relations to it, and its entries from other schemas. */
export function removeSchema(draft: ModelDraft, uid: string): ModelDraft {
  const renames = new Map([...draft.renames].filter(([to]) => to !== uid))
  const schemas = [...draft.schemas.values()]
    .filter((schema) => schema.uid !== uid)
    .map((schema) => withoutReferences(schema, uid))
  return { ...draft, renames, schemas: new Map(schemas.map((each) => [each.uid, each])) }
}

export interface Reference {
  readonly schema: Schema
  readonly attribute: string
}

/** The attributes of other schemas that refer to this one. */
export const referencesTo = ({ schemas }: ModelDraft, uid: string): readonly Reference[] =>
  [...schemas.values()]
    .filter((schema) => schema.uid !== uid)
    .flatMap((schema) =>
      Object.entries(schema.attributes)
        .filter(([, attribute]) => referencesOf(attribute).includes(uid))
        .map(([attribute]) => ({ schema, attribute })),
    )

const mapAttributes = (
  attributes: Attributes,
  change: (attribute: AttributeSchema) => AttributeSchema | null,
): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      const changed = change(attribute)
      return changed ? [[name, changed]] : []
    }),
  )

function withRenamedReferences(schema: Schema, uid: string, next: string): Schema {
  const attributes = mapAttributes(schema.attributes, (attribute) => {
    const { target, component, components } = attribute
    if (!referencesOf(attribute).includes(uid)) return attribute
    return {
      ...attribute,
      ...(target === uid && { target: next }),
      ...(component === uid && { component: next }),
      ...(components && { components: components.map((each) => (each === uid ? next : each)) }),
    }
  })
  return { ...schema, attributes }
}

/** A dynamic zone keeps its other components. */
const withoutReferences = (schema: Schema, uid: string): Schema => ({
  ...schema,
  attributes: mapAttributes(schema.attributes, (attribute) => {
    const { target, component, components } = attribute
    if (target === uid || component === uid) return null
    return components?.includes(uid)
      ? { ...attribute, components: components.filter((each) => each !== uid) }
      : attribute
  }),
})
