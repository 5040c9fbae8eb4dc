/** The hooks and policies that a project can add. */
import type { HooksByType } from '../../documents/hooks/hooks.ts'
import type { ParamObject } from '../../query/params.ts'
import type { Action, Scope } from '../../query/scope.ts'

/** What a policy decides about. */
export interface PolicyQuestion {
  readonly type: string
  readonly action: Action
  /** Null for lists, creates and single types. */
  readonly documentId: string | null
  readonly scope: Scope
}

/** Allows or refuses a request that the caller's permissions already allow. */
export type Policy = (question: PolicyQuestion) => boolean | Promise<boolean>

export interface FindEvent {
  readonly type: string
  readonly action: 'find' | 'findOne'
  readonly documentId: string | null
  readonly scope: Scope
}

/** Code around reads of one content-type. Responses of a type with such hooks are not cached. */
export interface FindHooks {
  /** Returns the query to use instead; undefined keeps the one that was sent. It is checked like any other. */
  readonly before?: (
    event: FindEvent & { readonly params: ParamObject },
  ) => ParamObject | undefined | Promise<ParamObject | undefined>
  /** Returns the data to send instead; undefined keeps the data that was read. */
  readonly after?: (event: FindEvent & { readonly data: unknown }) => unknown
}

export interface HooksAndPolicies {
  /** Around writes, by content-type uid, or `*` for all. */
  readonly hooks?: HooksByType
  /** Around reads, by content-type uid. */
  readonly find?: Readonly<Record<string, FindHooks>>
  /** By content-type uid, then by action. All policies of a list must allow the request. */
  readonly policies?: Readonly<Record<string, Readonly<Record<string, Policy | readonly Policy[]>>>>
}
