/** Functions and constants that build JSON Schemas. */
import type { JsonSchema } from '../../../model/json-schema.ts'

export type Schema = JsonSchema

export type Properties = Readonly<Record<string, Schema>>

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** Other properties are allowed. */
export const openObject = (properties: Properties, required: readonly string[] = []): Schema => ({
  type: 'object',
  ...(required.length > 0 ? { required } : {}),
  properties,
})

export const closedObject = (properties: Properties, required: readonly string[] = []): Schema => ({
  ...openObject(properties, required),
  additionalProperties: false,
})

export const arrayOf = (items: Schema, description?: string): Schema => ({
  type: 'array',
  ...(description ? { description } : {}),
  items,
})

export const anyOf = (...all: readonly Schema[]): Schema =>
  all.length === 1 && all[0] ? all[0] : { anyOf: all }

export function nullable(schema: Schema): Schema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const values = schema.enum ? { enum: [...schema.enum, null] } : {}
  return { ...schema, type: [schema.type, 'null'], ...values }
}

export const string: Schema = { type: 'string' }
export const integer: Schema = { type: 'integer' }
export const number: Schema = { type: 'number' }
export const boolean: Schema = { type: 'boolean' }
export const dateTime: Schema = { type: 'string', format: 'date-time' }
export const nullSchema: Schema = { type: 'null' }
