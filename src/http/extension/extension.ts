/** What a project adds to the server in its own code: hooks, policies and routes. */
import type { FastifyInstance } from 'fastify'
import type { HooksByType } from '../../documents/hooks/hooks.ts'
import { isObject } from '../../project/values.ts'
import type { ParamObject } from '../../query/params.ts'
import type { Action, Scope } from '../../query/scope.ts'
import type { Server } from '../server.ts'

declare module 'fastify' {
  /** What a schema may say for the documentation; named and typed as tools for Fastify do. */
  interface FastifySchema {
    hide?: boolean
    tags?: readonly string[]
    summary?: string
    description?: string
    operationId?: string
  }
  interface FastifyContextConfig {
    /** Who sees the route in the documentation, if it has a schema; everybody unless said. */
    documentedFor?: (scope: Scope) => boolean
  }
}

/** What a policy is asked about. */
export interface PolicyQuestion {
  readonly type: string
  readonly action: Action
  /** Null for lists, creates and single types. */
  readonly documentId: string | null
  readonly scope: Scope
}

/** Says yes or no to a request that the caller's permissions allow. */
export type Policy = (question: PolicyQuestion) => boolean | Promise<boolean>

export interface FindEvent {
  readonly type: string
  readonly action: 'find' | 'findOne'
  readonly documentId: string | null
  readonly scope: Scope
}

/** Code around reads of one content-type. Answers of a type that has any are read anew each time. */
export interface FindHooks {
  /** Returns the parameters to use instead; undefined leaves them. They are checked like any others. */
  readonly before?: (
    event: FindEvent & { readonly params: ParamObject },
  ) => ParamObject | undefined | Promise<ParamObject | undefined>
  /** Returns the data to send instead; undefined leaves it. */
  readonly after?: (event: FindEvent & { readonly data: unknown }) => unknown
}

export interface Extension {
  /** Around writes, by content-type uid, or `*` for all. */
  readonly hooks?: HooksByType
  /** Around reads, by content-type uid. */
  readonly find?: Readonly<Record<string, FindHooks>>
  /** By content-type uid, then by action. All of a list must say yes. */
  readonly policies?: Readonly<Record<string, Readonly<Record<string, Policy | readonly Policy[]>>>>
  /** Adds routes. They come before the generated ones and answer errors in the same way. */
  readonly routes?: (app: FastifyInstance, server: Server) => void | Promise<void>
}

/** uids that an extension names; `*` stands for all content-types. */
export const typesNamedBy = ({ policies, hooks, find }: Extension): readonly string[] =>
  [policies, hooks, find].flatMap((byType) => Object.keys(byType ?? {}))

const KEYS = ['hooks', 'find', 'policies', 'routes']

/** The extension of a configuration; throws for what cannot be one. */
export function extensionOf(value: unknown): Extension {
  if (value === undefined || value === null) return {}
  if (!isExtension(value))
    throw new TypeError(`extend takes ${KEYS.join(', ')}: objects of functions, and routes a function`)
  return value
}

const isExtension = (value: unknown): value is Extension =>
  isObject(value) &&
  Object.entries(value).every(([key, part]) =>
    key === 'routes' ? typeof part === 'function' : KEYS.includes(key) && isObject(part),
  )
