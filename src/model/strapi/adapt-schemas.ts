/**
 * Adapts the schema files of a Strapi project, which may use what only exists there: relations to admin accounts, types of
 * plugins, patterns that are not linear. Such parts are left out and listed, so that the rest can be served.
 */
import { formatProblem, type ProjectProblem } from '../../project/problems.ts'
import type { SchemaSource } from '../../project/source.ts'
import { nearest } from '../../project/suggest.ts'
import { isObject, type Values } from '../../project/values.ts'
import { FILE, type Model } from '../model.ts'
import { parseModel } from '../parse-model.ts'
import { ATTRIBUTE_KEYS } from '../schema/read-attribute.ts'
import { INFO_KEYS, OPTION_KEYS, TYPE_KEYS } from '../schema/read-shape.ts'

export interface AdaptedSchemas {
  readonly sources: readonly SchemaSource[]
  /** What was left out, and why. */
  readonly leftOut: readonly ProjectProblem[]
}

/** Each round removes at least one part, and what referred to it is found in the next. */
const MAX_ROUNDS = 100

export function adaptSchemas(sources: readonly SchemaSource[], locales: Model['locales']): AdaptedSchemas {
  const leftOut = new Map<string, ProjectProblem>()
  const components = new Set(sources.filter(({ kind }) => kind === 'component').map(({ uid }) => uid))
  let adapted = sources.map((source) => ({
    ...source,
    schema: withKnownComponents(translate(source.schema), components, (path, message) =>
      leftOut.set(`${source.file} ${path}`, { file: source.file, path, message }),
    ),
  }))
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const parsed = parseModel(adapted, locales)
    if (parsed.ok) break
    const repaired = removeParts(adapted, parsed.problems)
    for (const problem of repaired.removed) leftOut.set(formatProblem(problem), problem)
    if (repaired.removed.length === 0) break
    adapted = repaired.sources
  }
  return { sources: adapted, leftOut: [...leftOut.values()] }
}

/** Without keys that only look misspelled, and with files as media. */
function translate(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { info, options, attributes } = schema
  return {
    ...withoutLookalikes(schema, TYPE_KEYS),
    ...(isObject(info) && { info: withoutLookalikes(info, INFO_KEYS) }),
    ...(isObject(options) && { options: withoutLookalikes(options, OPTION_KEYS) }),
    ...(isObject(attributes) && {
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([name, attribute]) => [name, translateAttribute(attribute)]),
      ),
    }),
  }
}

/** A dynamic zone without the components that do not exist. */
function withKnownComponents(
  schema: unknown,
  known: ReadonlySet<string>,
  report: (path: string, message: string) => void,
): unknown {
  if (!isObject(schema) || !isObject(schema.attributes)) return schema
  const attributes = Object.entries(schema.attributes).map(([name, attribute]) => {
    if (!isObject(attribute) || attribute.type !== 'dynamiczone' || !Array.isArray(attribute.components))
      return [name, attribute]
    const missing = attribute.components.filter((uid) => !known.has(uid))
    if (missing.length === 0) return [name, attribute]
    report(`attributes.${name}.components`, `unknown component "${missing.join('", "')}"`)
    return [name, { ...attribute, components: attribute.components.filter((uid) => known.has(uid)) }]
  })
  return { ...schema, attributes: Object.fromEntries(attributes) }
}

const withoutLookalikes = (values: Values, known: readonly string[]): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([key]) => known.includes(key) || nearest(key, known) === null),
  )

function translateAttribute(attribute: unknown): unknown {
  if (!isObject(attribute)) return attribute
  const { type, relation, target, required, pluginOptions } = attribute
  // An older way to write media attributes.
  if (type === 'relation' && target === FILE && (relation === 'morphOne' || relation === 'morphMany'))
    return {
      type: 'media',
      multiple: relation === 'morphMany',
      ...(required === true && { required }),
      ...(isObject(pluginOptions) && { pluginOptions }),
    }
  return withoutLookalikes(attribute, ATTRIBUTE_KEYS)
}

/** Keys without which an attribute still means the same content. */
const OPTIONAL_KEYS: readonly string[] = [
  ...[
    'regex',
    'default',
    'min',
    'max',
    'minLength',
    'maxLength',
    'targetField',
    'inversedBy',
    'allowedTypes',
  ],
]

interface Repair {
  readonly sources: SchemaSource[]
  readonly removed: readonly ProjectProblem[]
}

/** Removes the parts that the problems are about, one per attribute: removing one may solve the others. */
function removeParts(sources: readonly SchemaSource[], problems: readonly ProjectProblem[]): Repair {
  const removed: ProjectProblem[] = []
  const touched = new Set<string>()
  const repaired = sources.flatMap((source) => {
    let schema: Values | null = isObject(source.schema) ? source.schema : null
    for (const problem of problems.filter(({ file }) => file === source.file)) {
      const [section = '', name = '', key = ''] = problem.path.split('.')
      if (!schema || touched.has(`${source.file}|${section}|${name}`)) continue
      const next = removePart(schema, section, name, key)
      // The types of plugins are an addition: one that cannot be served must not keep the project from starting.
      if (!next && !source.uid.startsWith('plugin::')) continue
      touched.add(`${source.file}|${section}|${name}`)
      removed.push(problem)
      schema = next
    }
    return schema ? [{ ...source, schema }] : []
  })
  return { sources: repaired, removed }
}

/** The schema without a part; null if it cannot do without. */
function removePart(schema: Values, section: string, name: string, key: string): Values | null {
  const { attributes, options, info } = schema
  if (section === 'attributes' && isObject(attributes) && Object.hasOwn(attributes, name)) {
    const attribute = attributes[name]
    const { [name]: _removed, ...others } = attributes
    if (!isObject(attribute) || !Object.hasOwn(attribute, key)) return { ...schema, attributes: others }
    if (!OPTIONAL_KEYS.includes(key)) return { ...schema, attributes: others }
    const { [key]: _key, ...rest } = attribute
    return {
      ...schema,
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([one, value]) => [one, one === name ? rest : value]),
      ),
    }
  }
  if (section === 'options' && isObject(options) && Object.hasOwn(options, name)) {
    const { [name]: _removed, ...rest } = options
    return { ...schema, options: rest }
  }
  if (section === 'info' && name === 'description' && isObject(info)) {
    const { description: _removed, ...rest } = info
    return { ...schema, info: rest }
  }
  return null
}
