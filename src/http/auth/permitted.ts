/** Checks a request against the caller's permissions and the project's policies. */
import { documentOfRow } from '../../documents/document-id.ts'
import { errors } from '../../errors.ts'
import { typeOf } from '../../model/model.ts'
import { isNumericId } from '../../query/parse-query.ts'
import type { Action, Scope } from '../../query/scope.ts'
import { andThen, type MaybePromise } from '../../store/maybe-promise.ts'
import { policiesAllow } from '../extension/policies.ts'
import type { Server } from '../server.ts'

interface CallerRequest {
  readonly server: Pick<Server, 'access' | 'extension'>
  readonly authorization: string | undefined
}

/** The caller's scope; throws a 403 unless its permissions and the policies allow the action. */
export const permittedScope = (
  { server, authorization }: CallerRequest,
  type: string,
  action: Action,
  documentId: string | null = null,
): MaybePromise<Scope> =>
  andThen(server.access.scopeOf(authorization), (scope) =>
    andThen(checkPermitted(server, scope, type, action, documentId), () => scope),
  )

export function checkPermitted(
  server: Pick<Server, 'extension'>,
  scope: Scope,
  type: string,
  action: Action,
  documentId: string | null,
): MaybePromise<void> {
  if (!scope.may(type, action)) throw errors.forbidden()
  return checkPolicies(server, scope, type, action, documentId)
}

/**
 * The same for the publication of a document that exists already. A caller who may create but not update documents can
 * publish them only on creation.
 */
export const checkMayChangePublication: typeof checkPermitted = (server, scope, type, action, documentId) => {
  if (publishesOnlyOnCreation(scope, type)) throw errors.forbidden()
  return checkPermitted(server, scope, type, action, documentId)
}

export const publishesOnlyOnCreation = (scope: Scope, type: string): boolean =>
  scope.may(type, 'create') && !scope.may(type, 'update')

export function checkPolicies(
  { extension }: Pick<Server, 'extension'>,
  scope: Scope,
  type: string,
  action: Action,
  documentId: string | null,
): MaybePromise<void> {
  if (!extension.policies) return
  return policiesAllow(extension, { type, action, documentId, scope }).then((isAllowed) => {
    if (!isAllowed) throw errors.forbidden()
  })
}

/**
 * Resolves a numeric id in a path to the documentId that hooks and policies expect. Returns the id unchanged when the
 * content-type has neither, or the row does not exist.
 */
export async function resolveDocumentId(server: Server, type: string, id: string): Promise<string> {
  const { policies, find } = server.extension
  if (!isNumericId(id) || !(policies?.[type] || find?.[type])) return id
  const { store } = server
  const statement = documentOfRow(store.dialect, typeOf(server.layout().model, type), Number(id))
  const [row] = await store.read(statement)
  return row ? String(row.document_id) : id
}
