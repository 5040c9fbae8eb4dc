/** Converts documents of the server to the values of a form, and back to the body of a request. */
import type { AttributeView } from '../../api/types.ts'
import { type FormPath, join, ROOT, topLevelName } from '../path.ts'
import { attributesOf, hasRows, isComponent, isToMany, isZone, type Schema } from '../schema.ts'
import type { FormStore, Row, Values } from '../store.ts'

type Source = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Source =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Finds the entry of the form that an entry of the server is, so that it keeps its key. */
export type KnownRow = (path: FormPath, index: number, row: Row) => Row | undefined

/** The values of a document, or of an entry at `at`. */
export function valuesOf(
  schema: Schema,
  attributes: readonly AttributeView[],
  source: Source,
  at: FormPath = ROOT,
  known: KnownRow = () => undefined,
): Map<FormPath, unknown> {
  const values = new Map<FormPath, unknown>()
  for (const attribute of attributes) {
    const path = join(at, attribute.name)
    const value = source[attribute.name]
    if (!hasRows(attribute)) {
      values.set(path, value ?? null)
      continue
    }
    const entries = (Array.isArray(value) ? value : [value]).filter(isObject)
    const rows = entries.map((entry, index) => {
      const row = rowOf(attribute, entry)
      return { entry, row: { ...row, key: known(path, index, row)?.key ?? row.key } }
    })
    values.set(
      path,
      rows.map(({ row }) => row),
    )
    for (const { entry, row } of rows) {
      const inner = valuesOf(schema, attributesOf(schema, row.component), entry, join(path, row.key), known)
      for (const [each, one] of inner) values.set(each, one)
    }
  }
  return values
}

/** Keeps the keys of entries with the same id; after saving, new entries have got theirs in the order they were sent. */
export const rowsOfStore =
  (store: Pick<FormStore, 'get'>, isSaved: boolean): KnownRow =>
  (path, index, { id, component }) => {
    const rows = rowsAt(store, path)
    const atIndex = rows[index]
    const isNew = isSaved && atIndex?.id === undefined && atIndex?.component === component
    return rows.find((row) => row.id === id && row.component === component) ?? (isNew ? atIndex : undefined)
  }

function rowOf(attribute: AttributeView, entry: Source): Row {
  const component = String((isZone(attribute) ? entry.__component : attribute.component) ?? '')
  return typeof entry.id === 'number'
    ? { key: `${component}:${entry.id}`, component, id: entry.id }
    : createRow(component)
}

/** A new entry. */
export const createRow = (component: string): Row => ({ key: `${component}:${randomKey()}`, component })

/** Browsers offer `randomUUID` only to pages that were loaded over HTTPS. */
const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** The values of a new document or entry: the defaults of the schema, which the server fills in too. */
export const newValues = (schema: Schema, attributes: readonly AttributeView[], at: FormPath = ROOT) =>
  valuesOf(
    schema,
    attributes,
    Object.fromEntries(attributes.map(({ name, default: value }) => [name, value])),
    at,
  )

export const rowsAt = (store: Pick<FormStore, 'get'>, path: FormPath): readonly Row[] => {
  const value = store.get(path)
  return Array.isArray(value) ? value : NO_ROWS
}
const NO_ROWS: readonly Row[] = []

/** The body of a request that saves the attributes with unsaved changes. */
export function changedInput(
  schema: Schema,
  attributes: readonly AttributeView[],
  store: FormStore,
): Record<string, unknown> {
  const names = new Set([...store.unsaved().keys()].map(topLevelName))
  return inputOf(
    schema,
    attributes.filter(({ name }) => names.has(name)),
    store,
  )
}

/**
 * The body of a request that creates a document, with the attributes that this person may write. What has no value is not
 * sent, so that the server generates what it can; an attribute with a default is then empty because the person emptied it.
 */
export function newInput(
  schema: Schema,
  attributes: readonly AttributeView[],
  store: Pick<FormStore, 'get'>,
): Record<string, unknown> {
  const sent = attributes.filter(({ name, type, default: initial, writable }) => {
    const value = store.get(name)
    const isEmptyList = Array.isArray(value) && value.length === 0 && type !== 'json'
    const isEmpty = value === null || value === undefined || isEmptyList
    return writable.create && (!isEmpty || (initial !== undefined && initial !== null))
  })
  return inputOf(schema, sent, store)
}

/** What a request sends for the values of a document, or of an entry at `at`. */
export function inputOf(
  schema: Schema,
  attributes: readonly AttributeView[],
  values: Pick<FormStore, 'get'>,
  at: FormPath = ROOT,
): Record<string, unknown> {
  return Object.fromEntries(
    attributes.flatMap((attribute) => {
      const path = join(at, attribute.name)
      if (!hasRows(attribute)) return leafInput(attribute, values.get(path))
      const entries = rowsAt(values, path).map((row) => ({
        ...(row.id !== undefined && { id: row.id }),
        ...(isZone(attribute) && { __component: row.component }),
        ...inputOf(schema, attributesOf(schema, row.component), values, join(path, row.key)),
      }))
      const isSingle = isComponent(attribute) && !attribute.repeatable
      return [[attribute.name, isSingle ? (entries[0] ?? null) : entries]]
    }),
  )
}

function leafInput(attribute: AttributeView, value: unknown): [string, unknown][] {
  const { name, type } = attribute
  // What is never returned stays as it is without a new value.
  const isHidden = type === 'password' || attribute.readable === false
  if (isHidden && (value === null || value === undefined)) return []
  if (type === 'media') return [[name, referencesOf(value, ({ id }) => id, attribute.multiple === true)]]
  if (type === 'relation') return [[name, referencesOf(value, relatedInput, isToMany(attribute))]]
  return [[name, value ?? null]]
}

const relatedInput = ({ documentId, __type }: Source) =>
  __type === undefined ? documentId : { __type, documentId }

function referencesOf(value: unknown, reference: (source: Source) => unknown, isList: boolean): unknown {
  const references = (Array.isArray(value) ? value : [value]).filter(isObject).map(reference)
  return isList ? references : (references[0] ?? null)
}

/** The path in a form for a path in a request body, whose entries are numbered. */
export function formPathOf(
  schema: Schema,
  attributes: readonly AttributeView[],
  store: Pick<FormStore, 'get'>,
  path: readonly (string | number)[],
  at: FormPath = ROOT,
): FormPath {
  const [name, ...rest] = path.map(String)
  const attribute = attributes.find((each) => each.name === name)
  if (!attribute) return at
  const here = join(at, attribute.name)
  if (!hasRows(attribute)) return here
  const isList = isZone(attribute) || attribute.repeatable === true
  const row = rowsAt(store, here)[isList ? Number(rest[0]) : 0]
  const inner = isList ? rest.slice(1) : rest
  if (!row || inner.length === 0) return here
  return formPathOf(schema, attributesOf(schema, row.component), store, inner, join(here, row.key))
}

/** The values at and below a path, at another path, with new entries: for duplicating, pasting and filling. */
export function copyValues(values: Values, from: FormPath, to: FormPath): Map<FormPath, unknown> {
  // After undo, values can come before the list of the entries that they are in.
  const inside = [...values]
    .filter(([path]) => path === from || path.startsWith(`${from}/`))
    .sort(([one], [other]) => depthOf(one) - depthOf(other))
  const renamed = new Map<string, string>()
  return new Map(
    inside.map(([path, value]) => {
      const target = `${to}${replaceKeys(path.slice(from.length), renamed)}`
      if (!isRowList(value)) return [target, value]
      const rows = value.map((row) => {
        const copy = createRow(row.component)
        renamed.set(row.key, copy.key)
        return copy
      })
      return [target, rows]
    }),
  )
}

const depthOf = (path: FormPath) => path.split('/').length

/** Entries inside a copied entry are new ones too. Their list comes before their values, so their keys are known. */
const replaceKeys = (path: string, renamed: ReadonlyMap<string, string>) =>
  path
    .split('/')
    .map((segment) => renamed.get(segment) ?? segment)
    .join('/')

const isRowList = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => isObject(item) && 'key' in item && 'component' in item)
