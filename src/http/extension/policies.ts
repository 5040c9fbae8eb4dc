/** The policies of a project: they decide about requests that the caller's permissions already allow. */
import { normalizeAction } from '../../access/roles/permissions.ts'
import type { Action, Scope } from '../../query/scope.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { HooksAndPolicies, Policy, PolicyQuestion } from './hooks-and-policies.ts'

type Policies = Pick<HooksAndPolicies, 'policies'>

/** The policies of an action, whichever of the action's names they are declared under. */
const policiesOn = ({ policies }: Policies, type: string, action: Action): readonly Policy[] =>
  Object.entries(policies?.[type] ?? {})
    .filter(([name]) => normalizeAction(name) === normalizeAction(action))
    .flatMap(([, listed]) => listed)

/** Whether every policy of an action allows it. */
export async function policiesAllow(extension: Policies, question: PolicyQuestion): Promise<boolean> {
  for (const policy of policiesOn(extension, question.type, question.action)) {
    if (!(await policy(question))) return false
  }
  return true
}

/**
 * The scope without the types whose policies refuse an action, as if the caller lacked the permission. The refused types
 * are part of the new key, so that cached responses are shared only by callers with the same decisions.
 */
export function withoutRefused(
  extension: Policies,
  scope: Scope,
  action: Action,
  types: Iterable<string>,
): MaybePromise<Scope> {
  const decided = [...types].filter((type) => policiesOn(extension, type, action).length > 0)
  return decided.length === 0 ? scope : narrow(extension, scope, action, decided)
}

async function narrow(extension: Policies, scope: Scope, action: Action, types: readonly string[]) {
  const question = { action, documentId: null, scope }
  const allowed = await Promise.all(types.map((type) => policiesAllow(extension, { ...question, type })))
  const refused = new Set(types.filter((_type, index) => !allowed[index]).sort())
  if (refused.size === 0) return scope
  const narrowed: Scope = {
    ...scope,
    key: `${scope.key} no ${action} of ${[...refused]}`,
    may: (type, other) => !(other === action && refused.has(type)) && scope.may(type, other),
  }
  return narrowed
}
