/** JSON Schema as the document uses it, and the few shapes that schemas are put together from. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly (string | number | null)[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly writeOnly?: boolean
}

export type Properties = Readonly<Record<string, Schema>>

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** An object with these properties; others may come with time. */
export const open = (properties: Properties, required: readonly string[] = []): Schema => ({
  type: 'object',
  ...(required.length > 0 ? { required } : {}),
  properties,
})

/** An object with these properties and no others. */
export const closed = (properties: Properties, required: readonly string[] = []): Schema => ({
  ...open(properties, required),
  additionalProperties: false,
})

export const list = (items: Schema, description?: string): Schema => ({
  type: 'array',
  ...(description ? { description } : {}),
  items,
})

/** One of several; a single one stands for itself. */
export const anyOf = (...all: readonly Schema[]): Schema =>
  all.length === 1 && all[0] ? all[0] : { anyOf: all }

/** The schema, or null. */
export function nullable(schema: Schema): Schema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const words = schema.enum ? { enum: [...schema.enum, null] } : {}
  return { ...schema, type: [schema.type, 'null'], ...words }
}

export const text: Schema = { type: 'string' }
export const integer: Schema = { type: 'integer' }
export const number: Schema = { type: 'number' }
export const boolean: Schema = { type: 'boolean' }
export const instant: Schema = { type: 'string', format: 'date-time' }
export const nothing: Schema = { type: 'null' }
