/** What a project adds to the server in its own code: hooks, policies and routes. */
import type { FastifyInstance } from 'fastify'
import { isObject } from '../../project/values.ts'
import type { Scope } from '../../query/scope.ts'
import type { Server } from '../server.ts'
import type { HooksAndPolicies } from './hooks-and-policies.ts'

declare module 'fastify' {
  /** What a schema may say for the documentation, with the names that Fastify's OpenAPI tools use. */
  interface FastifySchema {
    hide?: boolean
    tags?: readonly string[]
    summary?: string
    description?: string
    operationId?: string
  }
  interface FastifyContextConfig {
    /** Who sees a route with a schema in the documentation; everybody by default. */
    documentedFor?: (scope: Scope) => boolean
  }
}

export interface Extension extends HooksAndPolicies {
  /** Adds routes. They take precedence over the generated ones, and their errors become responses in the same way. */
  readonly routes?: (app: FastifyInstance, server: Server) => void | Promise<void>
}

/** The uids that an extension names; `*` stands for all content-types. */
export const typesNamedBy = ({ policies, hooks, find }: HooksAndPolicies): readonly string[] =>
  [policies, hooks, find].flatMap((byType) => Object.keys(byType ?? {}))

const KEYS = ['hooks', 'find', 'policies', 'routes']

/** Checks that a configured value is an extension. */
export function extensionOf(value: unknown): Extension {
  if (value === undefined || value === null) return {}
  if (!isExtension(value))
    throw new TypeError(
      `extend takes ${KEYS.join(', ')}: routes must be a function, the others objects of functions`,
    )
  return value
}

const isExtension = (value: unknown): value is Extension =>
  isObject(value) &&
  Object.entries(value).every(([key, part]) =>
    key === 'routes' ? typeof part === 'function' : KEYS.includes(key) && isObject(part),
  )
