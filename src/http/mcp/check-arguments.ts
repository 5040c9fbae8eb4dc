/** Checks the arguments of a call: their names and types. What they contain is checked by the content API. */
import { errors } from '../../errors.ts'
import { didYouMean, nearest } from '../../project/suggest.ts'
import { isObject, type Values } from '../../project/values.ts'
import type { Schema } from '../openapi/schemas/schema.ts'
import { type ContentAction, typesFor } from './permitted-types.ts'
import type { ArgumentsSchema, NamedType, ToolCall } from './tool.ts'

/** The arguments that were given: models often send null for those that they leave out. */
export const withoutNull = (given: Values): Values =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))

/** Throws unless the arguments have the names and types of the schema. */
export function checkArguments({ properties, required }: ArgumentsSchema, given: Values): void {
  const names = Object.keys(properties)
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!schema) throw errors.invalidArgument(name, `unknown argument${suggestion(name, names)}`)
    const problem = problemWith(schema, value)
    if (problem !== null) throw errors.invalidArgument(name, problem)
  }
  const missing = required.find((name) => given[name] === undefined)
  if (missing !== undefined) throw errors.invalidArgument(missing, 'is required')
}

const suggestion = (name: string, names: readonly string[]) =>
  nearest(name, names) === null ? `; known are ${names.join(', ')}` : didYouMean(name, names)

/** A schema without a single type is left to the content API. */
function problemWith(schema: Schema, value: unknown): string | null {
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' ? problemWithChoice(schema, value) : 'must be a string'
    case 'integer':
      return Number.isSafeInteger(value) ? problemWithRange(schema, Number(value)) : 'must be an integer'
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false'
    case 'object':
      return isObject(value) ? null : 'must be an object'
    case 'array':
      return problemWithList(schema, value)
    default:
      return null
  }
}

const problemWithChoice = ({ enum: choices }: Schema, value: string): string | null =>
  choices && !choices.includes(value)
    ? `must be one of ${someOf(choices.map(String))}${didYouMean(value, choices.map(String))}`
    : null

function problemWithRange({ minimum = -Infinity, maximum = Infinity }: Schema, value: number): string | null {
  if (value >= minimum && value <= maximum) return null
  return maximum === Infinity ? `must be at least ${minimum}` : `must be from ${minimum} to ${maximum}`
}

function problemWithList({ items, maxItems = Infinity }: Schema, value: unknown): string | null {
  if (!Array.isArray(value)) return 'must be a list'
  if (value.length > maxItems) return `must have at most ${maxItems} entries`
  for (const [index, item] of value.entries()) {
    const problem = items ? problemWith(items, item) : null
    if (problem !== null) return `entry ${index} ${problem}`
  }
  return null
}

/** The content-type that the arguments name, if the caller may use it. */
export const typeIn = ({ builder }: ToolCall, given: Values, action: ContentAction): NamedType =>
  typeNamed('type', given.type, typesFor(builder, action))

/** The content-types that the argument `types` names, among these. */
export function typesIn(given: Values, types: readonly NamedType[]): readonly NamedType[] {
  const names: readonly unknown[] = Array.isArray(given.types) ? given.types : []
  return [...new Set(names)].map((name) => typeNamed('types', name, types))
}

function typeNamed(argument: string, given: unknown, types: readonly NamedType[]): NamedType {
  const found = types.find(({ name }) => name === given)
  if (found) return found
  const names = types.map(({ name }) => name)
  throw errors.invalidArgument(argument, `must be one of ${someOf(names)}${didYouMean(String(given), names)}`)
}

/** Names for a message, of which there may be many. */
const someOf = (names: readonly string[]): string =>
  names.length <= 20 ? names.join(', ') : `${names.slice(0, 20).join(', ')} and ${names.length - 20} more`

/** An optional argument that is a string. */
export const stringIn = (given: Values, name: string): string | undefined => {
  const value = given[name]
  return typeof value === 'string' ? value : undefined
}

/** The path of the document that the arguments name: single types have one, the others need a documentId. */
export function documentPath({ name, type }: NamedType, given: Values): readonly string[] {
  const documentId = stringIn(given, 'documentId')
  if (type.kind === 'single') {
    if (documentId !== undefined)
      throw errors.invalidArgument('documentId', `must be left out: ${name} is a single type`)
    return [name]
  }
  if (!documentId) throw errors.invalidArgument('documentId', `is required for ${name}`)
  return [name, documentId]
}
