/** The schema edits of the admin API. Pure: each turns a list of schemas into the next one. */
import { errors } from '../../errors.ts'
import { builtInSources, isBuiltIn } from '../../model/built-in-types.ts'
import { type SchemaSource, schemaFile } from '../../project/source.ts'
import { didYouMean } from '../../project/suggest.ts'
import { isObject, type Values } from '../../project/values.ts'

/** A schema from a request body, and the uid that it will have. */
export interface SubmittedSchema {
  readonly kind: 'type' | 'component'
  readonly uid: string
  readonly schema: Values
}

type Sources = readonly SchemaSource[]

const property = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined)

const UID = { type: /^api::[\w-]+\.[\w-]+$/, component: /^[\w-]+\.[\w-]+$/ }

/** Parses a request body. The uid of a content-type defaults to one made of its singular name. */
export function parseSubmittedSchema(kind: SubmittedSchema['kind'], data: unknown): SubmittedSchema {
  if (!isObject(data))
    throw errors.invalid('The body must be JSON of the form {"data": {…}} with a schema as data')
  const { uid: given, ...schema } = data
  const singular = property(schema.info, 'singularName')
  const uid =
    given ?? (kind === 'type' && typeof singular === 'string' ? `api::${singular}.${singular}` : undefined)
  if (typeof uid !== 'string' || (!UID[kind].test(uid) && !isBuiltIn(uid))) {
    const message =
      kind === 'type'
        ? 'uid must be of the form api::book.book, or info.singularName is required'
        : 'uid is required, of the form shared.seo'
    throw errors.invalidValues([{ path: ['uid'], message, value: given }])
  }
  return { kind, uid, schema }
}

/** The schemas of the project, and the built-in content-types with the attributes that extend them. */
export function listSchemas(sources: Sources, kind: SubmittedSchema['kind']): SchemaSource[] {
  const own = sources.filter((source) => source.kind === kind)
  if (kind === 'component') return own
  const builtIn = builtInSources.map((source) => {
    const extension = sources.find((one) => one.kind === 'extension' && one.uid === source.uid)
    const own = Object(property(source.schema, 'attributes'))
    const attributes = { ...own, ...Object(property(extension?.schema, 'attributes')), ...own }
    return { ...source, schema: { builtIn: true, ...Object(source.schema), attributes } }
  })
  return [...own, ...builtIn]
}

/** A schema as the admin API returns it: the JSON of its file and its uid. */
export const schemaJson = ({ uid, schema }: SchemaSource): Values => ({ uid, ...Object(schema) })

/** Replaces the schema with the uid `previous`, or adds one if that is null. A rename updates references to it. */
export function putSchema(sources: Sources, submitted: SubmittedSchema, previous: string | null): Sources {
  const { kind, uid, schema } = submitted
  for (const name of [uid, previous]) if (name !== null && isBuiltIn(name)) throw builtInError(name)
  if (uid !== previous && sources.some((source) => source.uid === uid))
    throw errors.application(`The ${kindName(kind)} ${uid} already exists`)
  const added: SchemaSource = { kind, uid, file: schemaFile(kind, uid), schema }
  if (previous === null)
    return sortByFile([...sources.map((source) => withoutRenamedFrom(source, uid)), added])
  if (previous === uid)
    return sources.map((source) => (source.uid === uid && source.kind === kind ? added : source))
  const renamed = { ...added, schema: { ...schema, info: { ...Object(schema.info), renamedFrom: previous } } }
  const others = sources.filter((source) => source.uid !== previous)
  return sortByFile([...others, renamed].map((source) => withRenamedReferences(source, previous, uid)))
}

/** Removes a schema. References to it are reported when the result is parsed. */
export function removeSchema(sources: Sources, uid: string): Sources {
  if (isBuiltIn(uid)) throw builtInError(uid)
  return sources.filter((source) => source.uid !== uid)
}

/** Parses a combined edit: `{ contentTypes: [...], components: [...], rename: [{ from, to }, …], remove: [uid, …] }`. */
export function parseCombinedEdit(data: unknown): (sources: Sources) => Sources {
  const listOf = (key: string): readonly unknown[] => {
    const list = property(data, key) ?? []
    if (Array.isArray(list)) return list
    throw errors.invalidValues([{ path: [key], message: `${key} must be an array` }])
  }
  const submitted = [
    ...listOf('components').map((one) => parseSubmittedSchema('component', one)),
    ...listOf('contentTypes').map((one) => parseSubmittedSchema('type', one)),
  ]
  const removed = listOf('remove').map(String)
  const renames = listOf('rename').map(parseRename)
  if (submitted.length + removed.length + renames.length === 0)
    throw errors.invalid('At least one of contentTypes, components, rename and remove is required')
  return (sources) => {
    const unknown = removed.find((uid) => !sources.some((source) => source.uid === uid))
    if (unknown !== undefined) throw unknownSchema('remove', unknown, sources)
    const renamed = renames.reduce(renameSchema, removed.reduce(removeSchema, sources))
    return submitted.reduce((all, one) => {
      const isKnown = all.some((source) => source.uid === one.uid && source.kind === one.kind)
      const former = renames.find(({ to }) => to === one.uid)?.from
      return putSchema(all, former === undefined ? one : renamedFrom(one, former), isKnown ? one.uid : null)
    }, renamed)
  }
}

interface Rename {
  readonly from: string
  readonly to: string
}

function parseRename(value: unknown): Rename {
  const [from, to] = [property(value, 'from'), property(value, 'to')]
  if (typeof from === 'string' && typeof to === 'string') return { from, to }
  throw errors.invalidValues([
    { path: ['rename'], message: 'rename must be an array of { from, to } with uids' },
  ])
}

/** Renames a schema and updates the references to it. */
function renameSchema(sources: Sources, { from, to }: Rename): Sources {
  const source = sources.find(({ uid, kind }) => uid === from && kind !== 'extension')
  if (!source || source.kind === 'extension') throw unknownSchema('rename', from, sources)
  const submitted = parseSubmittedSchema(source.kind, { ...Object(source.schema), uid: to })
  return putSchema(sources, submitted, from)
}

const renamedFrom = (submitted: SubmittedSchema, former: string): SubmittedSchema => ({
  ...submitted,
  schema: { ...submitted.schema, info: { ...Object(submitted.schema.info), renamedFrom: former } },
})

function unknownSchema(action: 'remove' | 'rename', uid: string, sources: Sources) {
  const suggestion = didYouMean(
    uid,
    sources.map((source) => source.uid),
  )
  return errors.application(
    `Cannot ${action} ${uid}: there is no such content-type or component${suggestion}`,
  )
}

export const kindName = (kind: SubmittedSchema['kind']) => (kind === 'type' ? 'content-type' : 'component')

const builtInError = (uid: string) =>
  errors.application(
    `${uid} is built in and cannot be changed here; add attributes to it with a file in src/extensions`,
  )

const KIND_ORDER = { type: 0, component: 1, extension: 2 }

/** The order in which files are read, folder by folder. */
const sortByFile = (sources: Sources): Sources =>
  [...sources].sort(
    (one, other) => KIND_ORDER[one.kind] - KIND_ORDER[other.kind] || comparePaths(one.file, other.file),
  )

function comparePaths(one: string, other: string): number {
  const [ours, theirs] = [one.split('/'), other.split('/')]
  const at = ours.findIndex((part, index) => part !== theirs[index])
  if (at < 0) return 0
  return (ours[at] ?? '') < (theirs[at] ?? '') ? -1 : 1
}

/** Removes a `renamedFrom` that is done and whose name another schema gets now. */
function withoutRenamedFrom(source: SchemaSource, uid: string): SchemaSource {
  const info = property(source.schema, 'info')
  const names = [property(source.schema, 'renamedFrom'), property(info, 'renamedFrom')]
  if (!names.includes(uid)) return source
  const { renamedFrom: _, ...schema } = Object(source.schema)
  const { renamedFrom: __, ...others } = Object(info)
  return { ...source, schema: { ...schema, info: others } }
}

/** Updates the relations and component attributes that refer to a renamed schema. */
function withRenamedReferences(source: SchemaSource, previous: string, uid: string): SchemaSource {
  const attributes = property(source.schema, 'attributes')
  if (!isObject(attributes)) return source
  const renamed = Object.entries(attributes).map(([name, attribute]): [string, unknown] => [
    name,
    withRenamedReference(attribute, previous, uid),
  ])
  if (renamed.every(([name, attribute]) => attribute === attributes[name])) return source
  return { ...source, schema: { ...Object(source.schema), attributes: Object.fromEntries(renamed) } }
}

function withRenamedReference(attribute: unknown, previous: string, uid: string): unknown {
  if (!isObject(attribute)) return attribute
  const { target, component, components } = attribute
  const isListed = Array.isArray(components) && components.includes(previous)
  if (target !== previous && component !== previous && !isListed) return attribute
  return {
    ...attribute,
    ...(target === previous && { target: uid }),
    ...(component === previous && { component: uid }),
    ...(isListed && { components: components.map((one) => (one === previous ? uid : one)) }),
  }
}
