/** What a caller may know of the author of a change. */
import { USER } from '../../model/model.ts'
import type { Principal, Scope } from '../../query/scope.ts'

export interface VisibleAuthor {
  readonly kind: string
  readonly id?: string
}

/** Only callers who may find users learn which user or token it was. `author` is the result of `authorText`. */
export function visibleAuthor(scope: Scope, author: string): VisibleAuthor {
  const [kind = '', id] = author.split(':')
  const isOwn = kind === 'user' && scope.principal.kind === 'user' && scope.principal.documentId === id
  const isKnown = isOwn || (kind === 'user' ? maySeeAllUsers(scope) : isPrivileged(scope.principal))
  return id !== undefined && isKnown ? { kind, id } : { kind }
}

const maySeeAllUsers = (scope: Scope) => scope.may(USER, 'find') && !scope.rule(USER, 'find')?.filters

const isPrivileged = (principal: Principal) =>
  principal.kind === 'system' || (principal.kind === 'token' && principal.level === 'admin')
