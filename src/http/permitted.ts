/** Whether a request may be: by the permissions of the caller, and by the policies of the project. */
import { errors } from '../errors.ts'
import type { ContentType } from '../model/model.ts'
import type { Action, Scope } from '../query/scope.ts'
import { type Soon, whenThere } from '../store/soon.ts'
import { policiesAllow } from './extension.ts'
import type { Server } from './server.ts'

interface Asked {
  readonly server: Pick<Server, 'access' | 'extension'>
  readonly type: ContentType
  readonly authorization: string | undefined
}

/** The caller's scope, when it allows the action and the project's policies do too. */
export const permitted = (asked: Asked, action: Action, documentId: string | null = null): Soon<Scope> =>
  whenThere(asked.server.access.scopeOf(asked.authorization), (scope) =>
    whenThere(checkPermitted(asked, scope, action, documentId), () => scope),
  )

/** Refuses an action that the caller may not do, or to which a policy says no. */
export function checkPermitted(
  { server: { extension }, type }: Asked,
  scope: Scope,
  action: Action,
  documentId: string | null,
): Soon<void> {
  if (!scope.may(type.uid, action)) throw errors.forbidden()
  if (!extension.policies) return
  return policiesAllow(extension, { type: type.uid, action, documentId, scope }).then((isAllowed) => {
    if (!isAllowed) throw errors.forbidden()
  })
}
