/** The types of OpenAPI operations, and functions that build them. */
import { type Schema, string } from './schemas/schema.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required?: boolean
  readonly description: string
  readonly style?: 'form' | 'deepObject'
  readonly explode?: boolean
  readonly schema: Schema
  /** Prefilled by tools. */
  readonly example?: unknown
}

export interface Reference {
  readonly $ref: string
}

export interface Header {
  readonly description: string
  readonly schema: Schema
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header | Reference>>
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
  }
  readonly responses: Readonly<Record<string, Response | Reference>>
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

export type Paths = Record<string, Partial<Record<Method, Operation>>>

export const pathParameter = (name: string, description: string, schema: Schema = string): Parameter => ({
  ...{ name, in: 'path', required: true, description, schema },
})

/** An optional query parameter. */
export const queryParameter = (name: string, description: string, schema: Schema = string): Parameter => ({
  ...{ name, in: 'query', description, schema },
})

/** An optional request header. */
export const headerParameter = (name: string, description: string, schema: Schema = string): Parameter => ({
  ...{ name, in: 'header', description, schema },
})

/** A required JSON body. */
export const jsonBody = (schema: Schema, example?: unknown): NonNullable<Operation['requestBody']> => ({
  required: true,
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
})

export const jsonResponse = (
  description: string,
  schema: Schema,
  headers?: Response['headers'],
): Response => ({
  description,
  ...(headers ? { headers } : {}),
  content: { 'application/json': { schema } },
})

export function addOperation(paths: Paths, path: string, method: Method, operation: Operation): void {
  paths[path] = { ...paths[path], [method]: operation }
}
