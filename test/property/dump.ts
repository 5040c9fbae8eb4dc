/** All content of a random model as a server returns it: every version of every document, with its relations and entries. */
import type { Json, JsonObject } from '../reference/recording.ts'
import {
  endpointOf,
  LOCALES,
  type RandomAttribute,
  type RandomModel,
  type RandomShape,
} from './random-model.ts'

/** The documents by type, status and locale, such as `atlas draft en`. */
export type Dump = Readonly<Record<string, readonly JsonObject[]>>

type Read = (url: string) => Promise<Json>

export async function dumpContent(model: RandomModel, read: Read): Promise<Dump> {
  const views = model.types.flatMap((type) =>
    (type.drafts ? ['published', 'draft'] : ['published']).flatMap((status) =>
      (type.localized ? LOCALES : ['']).map((locale) => ({ type, status, locale })),
    ),
  )
  const dump: Record<string, readonly JsonObject[]> = {}
  for (const { type, status, locale } of views) {
    const query = [
      `status=${status}`,
      ...(locale === '' ? [] : [`locale=${locale}`]),
      ...everythingOf(model, type),
      ...(type.single ? [] : ['pagination[pageSize]=100']),
    ]
    const data = await read(`${endpointOf(type)}?${query.join('&')}`)
    const documents = Array.isArray(data) ? data : data === null ? [] : [data]
    dump[`${type.name} ${status} ${locale}`] = documents.map((document) =>
      withTargets(asObject(document), type, model),
    )
  }
  return dump
}

/** The newest state in the history of each document of the types that have drafts and no locales. */
export async function dumpHistory(model: RandomModel, content: Dump, read: Read): Promise<Dump> {
  const dump: Record<string, JsonObject[]> = {}
  for (const type of model.types.filter(({ drafts, localized, single }) => drafts && !localized && !single)) {
    for (const { documentId } of content[`${type.name} draft `] ?? []) {
      const path = `${endpointOf(type)}/${documentId}/history`
      const [newest] = asList(await read(`${path}?pagination[pageSize]=1`))
      const { version, status } = asObject(newest ?? null)
      const state = await read(`${path}/${version}?${everythingOf(model, type).join('&')}`)
      const view = `${type.name} ${status} `
      dump[view] = [...(dump[view] ?? []), withTargets(asObject(state), type, model)]
    }
  }
  return dump
}

/** The dump with changed values in all documents of a type, or in all entries of a component. */
export function mapNodes(
  dump: Dump,
  model: RandomModel,
  name: string,
  change: (values: JsonObject) => JsonObject,
): Dump {
  return Object.fromEntries(
    Object.entries(dump).map(([view, documents]) => {
      const type = model.types.find((one) => one.name === view.split(' ', 1)[0])
      return [view, type ? documents.map((document) => changed(document, type)) : documents]
    }),
  )

  function changed(values: JsonObject, shape: RandomShape): JsonObject {
    const inner = mapEntries(values, shape, model, changed)
    return shape.name === name ? change(inner) : inner
  }
}

/** Applies a function to the entries in the components and zones of a document or an entry. */
function mapEntries(
  values: JsonObject,
  shape: RandomShape,
  model: RandomModel,
  change: (values: JsonObject, shape: RandomShape) => JsonObject,
): JsonObject {
  const componentOf = (name: string) => model.components.find((one) => one.name === name)
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const attribute = shape.attributes[name]
      if (attribute?.kind !== 'component' && attribute?.kind !== 'zone') return [name, value]
      const entry = (one: Json): Json => {
        if (one === null) return null
        const values = asObject(one)
        const component = componentOf(
          attribute.kind === 'zone' ? String(values.__component) : attribute.component,
        )
        return component ? change(values, component) : one
      }
      return [name, Array.isArray(value) ? value.map(entry) : entry(value)]
    }),
  )
}

/** Related documents are replaced by their ids: their values are compared where they are listed themselves. */
function withTargets(values: JsonObject, shape: RandomShape, model: RandomModel): JsonObject {
  const idOf = (value: Json): Json => (value === null ? null : (asObject(value).documentId ?? null))
  const inner = mapEntries(values, shape, model, (entry, component) => withTargets(entry, component, model))
  return Object.fromEntries(
    Object.entries(inner).map(([name, value]) => [
      name,
      shape.attributes[name]?.kind !== 'relation'
        ? value
        : Array.isArray(value)
          ? value.map(idOf)
          : idOf(value),
    ]),
  )
}

type Populate = true | { readonly [key: string]: Populate }

/** Populates everything that a document or an entry has. */
const populateOf = (model: RandomModel, shape: RandomShape): Record<string, Populate> =>
  Object.fromEntries(
    Object.entries(shape.attributes)
      .filter(([, attribute]) => attribute.kind !== 'scalar')
      .map(([name, attribute]) => [name, populateAttribute(model, attribute)]),
  )

function populateAttribute(model: RandomModel, attribute: RandomAttribute): Populate {
  const ofComponent = (name: string): Populate => {
    const component = model.components.find((one) => one.name === name)
    const populate = component ? populateOf(model, component) : {}
    return Object.keys(populate).length === 0 ? true : { populate }
  }
  switch (attribute.kind) {
    case 'scalar':
    case 'relation':
      return true
    case 'component':
      return ofComponent(attribute.component)
    case 'zone':
      return { on: Object.fromEntries(attribute.components.map((name) => [name, ofComponent(name)])) }
  }
}

const everythingOf = (model: RandomModel, type: RandomShape) =>
  parametersOf(populateOf(model, type), 'populate')

const parametersOf = (populate: Record<string, Populate>, path: string): string[] =>
  Object.entries(populate).flatMap(([name, value]) =>
    value === true ? [`${path}[${name}]=true`] : parametersOf(value, `${path}[${name}]`),
  )

const asObject = (value: Json): JsonObject => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Error(`Not an object: ${JSON.stringify(value)}`)
}

const asList = (value: Json): Json[] => (Array.isArray(value) ? value : [])
