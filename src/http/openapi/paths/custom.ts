/** The paths of routes added by a project's own code, from their Fastify schemas. */
import { isObject } from '../../../project/values.ts'
import type { Scope } from '../../../query/scope.ts'
import {
  addOperation,
  type Method,
  type Operation,
  type Parameter,
  type Paths,
  pathParameter,
  type Response,
} from '../operation.ts'
import { type Schema, string } from '../schemas/schema.ts'
import { errorResponses } from './error-responses.ts'

export interface CustomRoute {
  /** In upper case. */
  readonly method: string
  /** With placeholders such as `:id`. */
  readonly url: string
  /** JSON Schema of `params`, `querystring`, `headers`, `body` and `response`, with `summary`, `description`, `tags`, `operationId`. */
  readonly schema: object
  readonly documentedFor: (scope: Scope) => boolean
}

const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete']

export function addCustomPaths(paths: Paths, routes: readonly CustomRoute[], scope: Scope): void {
  for (const { method, url, schema, documentedFor } of routes) {
    const supported = METHODS.find((name) => name === method.toLowerCase())
    if (!supported || url.includes('*') || !documentedFor(scope)) continue
    const path = url.replace(PLACEHOLDER, '{$1}')
    addOperation(paths, path, supported, operationOf(supported, url, schema))
  }
}

const PLACEHOLDER = /:(\w+)(?:\([^/]*\))?\??/g

function operationOf(method: Method, url: string, schema: object): Operation {
  const textOf = (key: string) => {
    const value: unknown = Reflect.get(schema, key)
    return typeof value === 'string' ? value : undefined
  }
  const tags: unknown = Reflect.get(schema, 'tags')
  const description = textOf('description')
  const body: unknown = Reflect.get(schema, 'body')
  const parameters = parametersOf(url, schema)
  return {
    operationId: textOf('operationId') ?? operationIdOf(method, url),
    tags: Array.isArray(tags) ? tags.map(String) : ['More'],
    summary: textOf('summary') ?? `${method.toUpperCase()} ${url}`,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(isObject(body) && {
      requestBody: { required: true, content: { 'application/json': { schema: withoutReferences(body) } } },
    }),
    responses: { ...responsesOf(Reflect.get(schema, 'response')), ...errorResponses(400, 404) },
  }
}

function parametersOf(url: string, schema: object): Parameter[] {
  const placeholders = [...url.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
  const declared = membersOf(Reflect.get(schema, 'params'))
  const query: unknown = Reflect.get(schema, 'querystring') ?? Reflect.get(schema, 'query')
  const others = (
    [
      ['query', query],
      ['header', Reflect.get(schema, 'headers')],
    ] as const
  ).flatMap(([location, object]) =>
    [...membersOf(object)].map(([name, { schema, required, description }]) => ({
      ...{ name, in: location, description, schema },
      ...(required && { required }),
    })),
  )
  return [
    ...placeholders.map((name): Parameter => {
      const { schema: own = string, description = '' } = declared.get(name) ?? {}
      return pathParameter(name, description, own)
    }),
    ...others,
  ]
}

interface Member {
  readonly schema: Schema
  readonly required: boolean
  readonly description: string
}

/** The properties of an object schema. */
function membersOf(schema: unknown): Map<string, Member> {
  const object = isObject(schema) ? withoutReferences(schema) : {}
  return new Map(
    Object.entries(object.properties ?? {}).map(([name, one]) => [
      name,
      { schema: one, required: object.required?.includes(name) ?? false, description: one.description ?? '' },
    ]),
  )
}

function responsesOf(response: unknown): Record<string, Response> {
  const declared = isObject(response) ? Object.entries(response) : []
  if (declared.length === 0) return { 200: { description: 'The response.' } }
  return Object.fromEntries(
    declared.map(([status, schema]) => {
      const shown: Schema = isObject(schema) ? withoutReferences(schema) : {}
      const description = shown.description ?? 'The response.'
      const isEmpty = status === '204' || shown.type === 'null'
      return [
        status.toLowerCase() === 'default' ? 'default' : status.toUpperCase(),
        { description, ...(!isEmpty && { content: { 'application/json': { schema: shown } } }) },
      ]
    }),
  )
}

/** References point outside of the document, so they are replaced by a schema that allows anything. */
function withoutReferences(schema: object): Schema {
  const copy: Schema = JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === '$id') return undefined
      return isObject(value) && '$ref' in value ? {} : value
    }),
  )
  return copy
}

/** The method and the words of the path: `getApiProductsCheapest`. */
const operationIdOf = (method: Method, url: string) =>
  method +
  url
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
