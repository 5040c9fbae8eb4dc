/** What a caller may do; created by `access`, and used by reads and writes. */

export type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete' | 'publish' | (string & {})

export type Principal =
  | { readonly kind: 'public' }
  | {
      readonly kind: 'token'
      readonly id: number
      readonly name: string
      /** Absent for tokens that may only read or have permissions of their own. */
      readonly level?: 'admin' | 'full'
    }
  | { readonly kind: 'user'; readonly id: number; readonly documentId: string; readonly role: string }
  | { readonly kind: 'system' }

/** Limits the documents and fields that a permission covers. */
export interface Rule {
  /** A filter in the language of the `filters` parameter, with the caller's values already filled in. */
  readonly filters?: Readonly<Record<string, unknown>>
  /** The attributes that may be read (find, findOne) or written (create, update); all when absent. */
  readonly fields?: readonly string[]
  /** Whether the permission follows from another one, such as `publish` from `update`, and has its rule. */
  readonly isImplied?: true
}

export interface Scope {
  /** Callers with the same key get the same response to the same request. Plans and responses are cached by it. */
  readonly key: string
  readonly principal: Principal
  /** Whether it belongs to a session of the admin app, whose reads also show what editors need (`__meta`). */
  readonly isTeam?: true
  may(type: string, action: Action): boolean
  /** The limits of a granted permission, or null when it covers everything. */
  rule(type: string, action: Action): Rule | null
}

/** May do everything; for the server itself. */
export const systemScope: Scope = {
  key: 'system',
  principal: { kind: 'system' },
  may: () => true,
  rule: () => null,
}

/** May do everything on behalf of a caller whose permission was checked in another way. */
export const systemScopeFor = (principal: Principal): Scope => ({ ...systemScope, principal })
