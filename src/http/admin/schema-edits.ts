/** Edits of a project's schemas as the admin interface sends them. Pure: a list of schemas in, the next list out. */
import { errors } from '../../errors.ts'
import { builtInSources, isBuiltIn } from '../../model/built-in-types.ts'
import { type SchemaSource, schemaFile } from '../../project/source.ts'
import { didYouMean } from '../../project/suggest.ts'
import { isObject, type Values } from '../../project/values.ts'

/** A schema that was sent, and the uid it is to have. */
export interface SubmittedSchema {
  readonly kind: 'type' | 'component'
  readonly uid: string
  readonly schema: Values
}

type Sources = readonly SchemaSource[]

const property = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined)

const UID = { type: /^api::[\w-]+\.[\w-]+$/, component: /^[\w-]+\.[\w-]+$/ }

/** The schema of a body. A content-type's uid follows from its singular name unless it is given. */
export function parseSubmittedSchema(kind: SubmittedSchema['kind'], data: unknown): SubmittedSchema {
  if (!isObject(data))
    throw errors.invalid('The body must be JSON of the form {"data": {…}} with a schema in it')
  const { uid: given, ...schema } = data
  const singular = property(schema.info, 'singularName')
  const uid =
    given ?? (kind === 'type' && typeof singular === 'string' ? `api::${singular}.${singular}` : undefined)
  if (typeof uid !== 'string' || (!UID[kind].test(uid) && !isBuiltIn(uid))) {
    const message =
      kind === 'type'
        ? 'info.singularName or a uid such as api::book.book is needed'
        : 'a uid such as shared.seo is needed'
    throw errors.invalidValues([{ path: ['uid'], message, value: given }])
  }
  return { kind, uid, schema }
}

/** The schemas that are shown: those of the project, and the built-in content-types with what extends them. */
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

/** A schema as it is answered: the JSON of its file, with its uid. */
export const schemaJson = ({ uid, schema }: SchemaSource): Values => ({ uid, ...Object(schema) })

/** Puts a schema in the place of the one called `previous`, or adds it; references to a renamed one follow. */
export function putSchema(sources: Sources, sent: SubmittedSchema, previous: string | null): Sources {
  const { kind, uid, schema } = sent
  for (const name of [uid, previous]) if (name !== null && isBuiltIn(name)) throw builtIn(name)
  if (uid !== previous && sources.some((source) => source.uid === uid))
    throw errors.application(`There is already a ${kindName(kind)} ${uid}`)
  const made: SchemaSource = { kind, uid, file: schemaFile(kind, uid), schema }
  if (previous === null)
    return sortByFile([...sources.map((source) => withoutRenamedFrom(source, uid)), made])
  if (previous === uid)
    return sources.map((source) => (source.uid === uid && source.kind === kind ? made : source))
  const renamed = { ...made, schema: { ...schema, info: { ...Object(schema.info), renamedFrom: previous } } }
  const others = sources.filter((source) => source.uid !== previous)
  return sortByFile([...others, renamed].map((source) => withRenamedReferences(source, previous, uid)))
}

/** Takes a schema away. What still refers to it is a mistake that is told. */
export function removeSchema(sources: Sources, uid: string): Sources {
  if (isBuiltIn(uid)) throw builtIn(uid)
  return sources.filter((source) => source.uid !== uid)
}

/** Several edits as one: `{ contentTypes: [...], components: [...], remove: [uid, …] }`. */
export function parseCombinedEdit(data: unknown): (sources: Sources) => Sources {
  const listOf = (key: string): readonly unknown[] => {
    const list = property(data, key) ?? []
    if (Array.isArray(list)) return list
    throw errors.invalidValues([{ path: [key], message: `${key} must be a list` }])
  }
  const sent = [
    ...listOf('components').map((one) => parseSubmittedSchema('component', one)),
    ...listOf('contentTypes').map((one) => parseSubmittedSchema('type', one)),
  ]
  const removed = listOf('remove').map(String)
  if (sent.length + removed.length === 0)
    throw errors.invalid('Send lists of contentTypes and components to have, or of uids to remove')
  return (sources) => {
    const unknown = removed.find((uid) => !sources.some((source) => source.uid === uid))
    if (unknown !== undefined) {
      const known = sources.map(({ uid }) => uid)
      throw errors.application(`There is nothing called ${unknown}${didYouMean(unknown, known)}`)
    }
    const left = removed.reduce(removeSchema, sources)
    return sent.reduce((all, one) => {
      const isKnown = all.some((source) => source.uid === one.uid && source.kind === one.kind)
      return putSchema(all, one, isKnown ? one.uid : null)
    }, left)
  }
}

export const kindName = (kind: SubmittedSchema['kind']) => (kind === 'type' ? 'content-type' : 'component')

const builtIn = (uid: string) =>
  errors.application(`${uid} is built in; attributes are added to it by a file in src/extensions`)

const RANK = { type: 0, component: 1, extension: 2 }

/** The order in which files are read: folder by folder. */
const sortByFile = (sources: Sources): Sources =>
  [...sources].sort((one, other) => RANK[one.kind] - RANK[other.kind] || comparePaths(one.file, other.file))

function comparePaths(one: string, other: string): number {
  const [ours, theirs] = [one.split('/'), other.split('/')]
  const at = ours.findIndex((part, index) => part !== theirs[index])
  if (at < 0) return 0
  return (ours[at] ?? '') < (theirs[at] ?? '') ? -1 : 1
}

/** A schema that no longer says it was called so: that is done, and now something else has the name. */
function withoutRenamedFrom(source: SchemaSource, uid: string): SchemaSource {
  const info = property(source.schema, 'info')
  const names = [property(source.schema, 'renamedFrom'), property(info, 'renamedFrom')]
  if (!names.includes(uid)) return source
  const { renamedFrom: _, ...schema } = Object(source.schema)
  const { renamedFrom: __, ...others } = Object(info)
  return { ...source, schema: { ...schema, info: others } }
}

/** A schema whose relations and components name something by its new uid. */
function withRenamedReferences(source: SchemaSource, previous: string, uid: string): SchemaSource {
  const attributes = property(source.schema, 'attributes')
  if (!isObject(attributes)) return source
  const swap = (value: unknown) => (value === previous ? uid : value)
  let changed = false
  const next = Object.entries(attributes).map(([name, attribute]): [string, unknown] => {
    if (!isObject(attribute)) return [name, attribute]
    const { target, component, components } = attribute
    const named = Array.isArray(components) && components.includes(previous)
    if (target !== previous && component !== previous && !named) return [name, attribute]
    changed = true
    return [
      name,
      {
        ...attribute,
        ...(target === previous && { target: uid }),
        ...(component === previous && { component: uid }),
        ...(Array.isArray(components) && { components: components.map(swap) }),
      },
    ]
  })
  return changed
    ? { ...source, schema: { ...Object(source.schema), attributes: Object.fromEntries(next) } }
    : source
}
