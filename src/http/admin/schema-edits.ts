/** Edits of a project's schemas as the admin interface sends them. Pure: a list of schemas in, the next list out. */
import { errors } from '../../errors.ts'
import { builtInSources, isBuiltIn } from '../../model/builtin.ts'
import { type SchemaSource, schemaFile } from '../../project/source.ts'
import { didYouMean } from '../../project/suggest.ts'
import { isObject, type Values } from '../../project/values.ts'

/** A schema that was sent, and the uid it is to have. */
export interface Sent {
  readonly kind: 'type' | 'component'
  readonly uid: string
  readonly schema: Values
}

type Sources = readonly SchemaSource[]

const member = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined)

const UID = { type: /^api::[\w-]+\.[\w-]+$/, component: /^[\w-]+\.[\w-]+$/ }

/** The schema of a body. A content-type's uid follows from its singular name unless it is given. */
export function sentSchema(kind: Sent['kind'], data: unknown): Sent {
  if (!isObject(data))
    throw errors.invalid('The body must be JSON of the form {"data": {…}} with a schema in it')
  const { uid: given, ...schema } = data
  const singular = member(schema.info, 'singularName')
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
export function shownSchemas(sources: Sources, kind: Sent['kind']): SchemaSource[] {
  const own = sources.filter((source) => source.kind === kind)
  if (kind === 'component') return own
  const builtIn = builtInSources.map((source) => {
    const extension = sources.find((one) => one.kind === 'extension' && one.uid === source.uid)
    const own = Object(member(source.schema, 'attributes'))
    const attributes = { ...own, ...Object(member(extension?.schema, 'attributes')), ...own }
    return { ...source, schema: { builtIn: true, ...Object(source.schema), attributes } }
  })
  return [...own, ...builtIn]
}

/** A schema as it is answered: the JSON of its file, with its uid. */
export const schemaOf = ({ uid, schema }: SchemaSource): Values => ({ uid, ...Object(schema) })

/** Puts a schema in the place of the one called `former`, or adds it; references to a renamed one follow. */
export function put(sources: Sources, sent: Sent, former: string | null): Sources {
  const { kind, uid, schema } = sent
  for (const name of [uid, former]) if (name !== null && isBuiltIn(name)) throw builtIn(name)
  if (uid !== former && sources.some((source) => source.uid === uid))
    throw errors.application(`There is already a ${noun(kind)} ${uid}`)
  const made: SchemaSource = { kind, uid, file: schemaFile(kind, uid), schema }
  if (former === null) return inOrder([...sources.map((source) => forgetting(source, uid)), made])
  if (former === uid)
    return sources.map((source) => (source.uid === uid && source.kind === kind ? made : source))
  const renamed = { ...made, schema: { ...schema, info: { ...Object(schema.info), renamedFrom: former } } }
  const others = sources.filter((source) => source.uid !== former)
  return inOrder([...others, renamed].map((source) => pointingAt(source, former, uid)))
}

/** Takes a schema away. What still refers to it is a mistake that is told. */
export function take(sources: Sources, uid: string): Sources {
  if (isBuiltIn(uid)) throw builtIn(uid)
  return sources.filter((source) => source.uid !== uid)
}

/** Several edits as one: `{ contentTypes: [...], components: [...], remove: [uid, …] }`. */
export function editedTogether(data: unknown): (sources: Sources) => Sources {
  const listOf = (key: string): readonly unknown[] => {
    const list = member(data, key) ?? []
    if (Array.isArray(list)) return list
    throw errors.invalidValues([{ path: [key], message: `${key} must be a list` }])
  }
  const sent = [
    ...listOf('components').map((one) => sentSchema('component', one)),
    ...listOf('contentTypes').map((one) => sentSchema('type', one)),
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
    const left = removed.reduce(take, sources)
    return sent.reduce((all, one) => {
      const isKnown = all.some((source) => source.uid === one.uid && source.kind === one.kind)
      return put(all, one, isKnown ? one.uid : null)
    }, left)
  }
}

export const noun = (kind: Sent['kind']) => (kind === 'type' ? 'content-type' : 'component')

const builtIn = (uid: string) =>
  errors.application(`${uid} is built in; attributes are added to it by a file in src/extensions`)

const RANK = { type: 0, component: 1, extension: 2 }

/** The order in which files are read: folder by folder. */
const inOrder = (sources: Sources): Sources =>
  [...sources].sort((one, other) => RANK[one.kind] - RANK[other.kind] || comparePaths(one.file, other.file))

function comparePaths(one: string, other: string): number {
  const [ours, theirs] = [one.split('/'), other.split('/')]
  const at = ours.findIndex((part, index) => part !== theirs[index])
  if (at < 0) return 0
  return (ours[at] ?? '') < (theirs[at] ?? '') ? -1 : 1
}

/** A schema that no longer says it was called so: that is done, and now something else has the name. */
function forgetting(source: SchemaSource, uid: string): SchemaSource {
  const info = member(source.schema, 'info')
  const names = [member(source.schema, 'renamedFrom'), member(info, 'renamedFrom')]
  if (!names.includes(uid)) return source
  const { renamedFrom: _, ...schema } = Object(source.schema)
  const { renamedFrom: __, ...others } = Object(info)
  return { ...source, schema: { ...schema, info: others } }
}

/** A schema whose relations and components name something by its new uid. */
function pointingAt(source: SchemaSource, former: string, uid: string): SchemaSource {
  const attributes = member(source.schema, 'attributes')
  if (!isObject(attributes)) return source
  const swap = (value: unknown) => (value === former ? uid : value)
  let changed = false
  const next = Object.entries(attributes).map(([name, attribute]): [string, unknown] => {
    if (!isObject(attribute)) return [name, attribute]
    const { target, component, components } = attribute
    const named = Array.isArray(components) && components.includes(former)
    if (target !== former && component !== former && !named) return [name, attribute]
    changed = true
    return [
      name,
      {
        ...attribute,
        ...(target === former && { target: uid }),
        ...(component === former && { component: uid }),
        ...(Array.isArray(components) && { components: components.map(swap) }),
      },
    ]
  })
  return changed
    ? { ...source, schema: { ...Object(source.schema), attributes: Object.fromEntries(next) } }
    : source
}
