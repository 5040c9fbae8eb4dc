/** Adds, changes, renames, moves and removes attributes, with what refers to them. Pure. */
import { baseOf, type ModelDraft, updateSchema } from './draft.ts'
import { otherSideOf, putOtherSide, removeOtherSide } from './relations.ts'
import type { AttributeSchema, Attributes, Schema } from './schema.ts'

/** The name of an attribute on the server; undefined if it is new. */
export function originOf(draft: ModelDraft, uid: string, name: string): string | undefined {
  const saved = baseOf(draft, uid)?.attributes ?? {}
  const former = draft.schemas.get(uid)?.attributes[name]?.renamedFrom
  if (former !== undefined && Object.hasOwn(saved, former)) return former
  return Object.hasOwn(saved, name) ? name : undefined
}

/**
 * Adds an attribute at the end, or replaces the one called `previous`, which gets the new name and keeps its content. The
 * other side of a relation is added, changed and removed with it.
 */
export function putAttribute(
  draft: ModelDraft,
  uid: string,
  previous: string | null,
  name: string,
  attribute: AttributeSchema,
): ModelDraft {
  const schema = draft.schemas.get(uid)
  if (!schema) return draft
  const before = previous === null ? undefined : schema.attributes[previous]
  const origin = previous === null ? undefined : originOf(draft, uid, previous)
  const { renamedFrom: _, ...own } = attribute
  const isRenamed = origin !== undefined && origin !== name
  const kept =
    before?.renamedFrom !== undefined && !isRenamed && previous === name ? before.renamedFrom : undefined
  const next: AttributeSchema = {
    ...own,
    ...(isRenamed && { renamedFrom: origin }),
    ...(kept !== undefined && { renamedFrom: kept }),
  }
  const detached =
    before && previous !== null && hasOtherEnd(before, next)
      ? detachOtherSide(draft, { uid, name: previous }, before, next)
      : draft
  const put = updateSchema(detached, uid, (current) => {
    const renamed = previous === null || previous === name ? current : renameInside(current, previous, name)
    const attributes = replaceAttribute(renamed.attributes, previous ?? name, name, next)
    return { ...renamed, attributes: withoutStaleRenames(draft, uid, attributes, name) }
  })
  const referring = previous !== null && previous !== name ? renameReferences(put, uid, previous, name) : put
  return next.type === 'relation' ? putOtherSide(referring, { uid, name }, next) : referring
}

/** Whether the attribute at the other end is another one than before, or none. */
const hasOtherEnd = (before: AttributeSchema, next: AttributeSchema) =>
  before.target !== next.target || otherSideOf(before) !== otherSideOf(next) || next.type !== 'relation'

/** Another name of the attribute at the other end renames it, with its content; otherwise it is removed. */
function detachOtherSide(
  draft: ModelDraft,
  end: { readonly uid: string; readonly name: string },
  before: AttributeSchema,
  next: AttributeSchema,
): ModelDraft {
  const { target } = before
  const [from, to] = [otherSideOf(before), otherSideOf(next)]
  const attributes = draft.schemas.get(target ?? '')?.attributes ?? {}
  const other = attributes[from ?? '']
  const isRenamed = target === next.target && to !== undefined && to !== '' && !Object.hasOwn(attributes, to)
  if (target !== undefined && from !== undefined && other && isRenamed)
    return putAttribute(draft, target, from, to, other)
  return removeOtherSide(draft, end, before)
}

/** Keeps the place of the attribute that is replaced. */
function replaceAttribute(
  attributes: Attributes,
  previous: string,
  name: string,
  attribute: AttributeSchema,
): Attributes {
  if (!Object.hasOwn(attributes, previous)) return { ...attributes, [name]: attribute }
  return Object.fromEntries(
    Object.entries(attributes).map(([each, value]) =>
      each === previous ? [name, attribute] : [each, value],
    ),
  )
}

/** A rename that is done already must not claim the name of a new attribute. */
function withoutStaleRenames(
  draft: ModelDraft,
  uid: string,
  attributes: Attributes,
  added: string,
): Attributes {
  const saved = baseOf(draft, uid)?.attributes ?? {}
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const { renamedFrom, ...rest } = attribute
      return renamedFrom === added && name !== added && !Object.hasOwn(saved, added)
        ? [name, rest]
        : [name, attribute]
    }),
  )
}

/** What the same schema says about an attribute: sources of uids, and indexes. */
function renameInside(schema: Schema, previous: string, name: string): Schema {
  const attributes = Object.fromEntries(
    Object.entries(schema.attributes).map(([each, attribute]) => [
      each,
      attribute.targetField === previous ? { ...attribute, targetField: name } : attribute,
    ]),
  )
  const { options } = schema
  const indexes = options?.indexes?.map((index) => index.map((each) => (each === previous ? name : each)))
  const search = searchWith(schema, (each) => (each === previous ? [name] : [each]))
  return {
    ...schema,
    attributes,
    ...(options && { options: { ...options, ...(indexes && { indexes }), ...search } }),
  }
}

/** The listed attributes of the search index, each replaced by others. */
function searchWith({ options }: Schema, replace: (name: string) => readonly string[]) {
  const search = options?.search
  return search === undefined || typeof search === 'boolean' ? {} : { search: search.flatMap(replace) }
}

/** The relations of other schemas that name this attribute as their other end. */
function renameReferences(draft: ModelDraft, uid: string, previous: string, name: string): ModelDraft {
  const renamed = (attribute: AttributeSchema): AttributeSchema => {
    if (attribute.target !== uid) return attribute
    const key = (['mappedBy', 'inversedBy', 'morphBy'] as const).find((each) => attribute[each] === previous)
    return key ? { ...attribute, [key]: name } : attribute
  }
  const schemas = [...draft.schemas].map(([each, schema]): [string, Schema] => [
    each,
    {
      ...schema,
      attributes: Object.fromEntries(
        Object.entries(schema.attributes).map(([key, attribute]) => [key, renamed(attribute)]),
      ),
    },
  ])
  return { ...draft, schemas: new Map(schemas) }
}

/** Removes an attribute, the other side of a relation, and what refers to it in the same schema. */
export function removeAttribute(draft: ModelDraft, uid: string, name: string): ModelDraft {
  const attribute = draft.schemas.get(uid)?.attributes[name]
  if (!attribute) return draft
  const detached = removeOtherSide(draft, { uid, name }, attribute)
  return updateSchema(detached, uid, (schema) => {
    const { [name]: _, ...attributes } = schema.attributes
    const indexes = schema.options?.indexes?.filter((index) => !index.includes(name))
    const search = searchWith(schema, (each) => (each === name ? [] : [each]))
    return {
      ...schema,
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([each, value]) => {
          const { targetField, ...rest } = value
          return [each, targetField === name ? rest : value]
        }),
      ),
      ...(schema.options && { options: { ...schema.options, ...(indexes && { indexes }), ...search } }),
    }
  })
}

export const reorderAttributes = (draft: ModelDraft, uid: string, names: readonly string[]): ModelDraft =>
  updateSchema(draft, uid, (schema) => ({
    ...schema,
    attributes: Object.fromEntries(
      names.flatMap((name) => {
        const attribute = schema.attributes[name]
        return attribute ? [[name, attribute]] : []
      }),
    ),
  }))
