/** Operations of the document: what OpenAPI says about one method of one path. */
import { type Schema, string } from './schemas/schema.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required?: boolean
  readonly description: string
  readonly style?: 'form' | 'deepObject'
  readonly explode?: boolean
  readonly schema: Schema
  /** What tools fill in before a person does. */
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

/** What each path answers. */
export type Paths = Record<string, Partial<Record<Method, Operation>>>

/** A part of the path; text unless its schema says otherwise. */
export const pathParameter = (name: string, description: string, schema: Schema = string): Parameter => ({
  ...{ name, in: 'path', required: true, description, schema },
})

/** A query parameter that may be left out; text unless its schema says otherwise. */
export const queryParameter = (name: string, description: string, schema: Schema = string): Parameter => ({
  ...{ name, in: 'query', description, schema },
})

/** A header that may be left out; text unless its schema says otherwise. */
export const headerParameter = (name: string, description: string, schema: Schema = string): Parameter => ({
  ...{ name, in: 'header', description, schema },
})

/** A JSON body that must be sent. */
export const jsonBody = (schema: Schema, example?: unknown): NonNullable<Operation['requestBody']> => ({
  required: true,
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
})

/** An answer in JSON. */
export const jsonResponse = (
  description: string,
  schema: Schema,
  headers?: Response['headers'],
): Response => ({
  description,
  ...(headers ? { headers } : {}),
  content: { 'application/json': { schema } },
})

/** Puts an operation into the paths. */
export function addOperation(paths: Paths, path: string, method: Method, operation: Operation): void {
  paths[path] = { ...paths[path], [method]: operation }
}
