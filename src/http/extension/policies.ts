/** The policies of a project: its own word on what the permissions of a caller already allow. */
import { canonical } from '../../access/roles/permissions.ts'
import type { Action, Scope } from '../../query/scope.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { Extension, Policy, PolicyQuestion } from './extension.ts'

type Policies = Pick<Extension, 'policies'>

/** The policies of an action, under whichever of its names they stand. */
const policiesOn = ({ policies }: Policies, type: string, action: Action): readonly Policy[] =>
  Object.entries(policies?.[type] ?? {})
    .filter(([name]) => canonical(name) === canonical(action))
    .flatMap(([, listed]) => listed)

/** Whether every policy of an action says yes. */
export async function policiesAllow(extension: Policies, question: PolicyQuestion): Promise<boolean> {
  for (const policy of policiesOn(extension, question.type, question.action)) {
    if (!(await policy(question))) return false
  }
  return true
}

/**
 * What the caller may do without what policies say no to, as if the permission for it were lacking. The key tells, so
 * that answers are shared among those alone for whom policies have decided alike.
 */
export function withoutRefused(
  extension: Policies,
  scope: Scope,
  action: Action,
  types: Iterable<string>,
): MaybePromise<Scope> {
  const asked = [...types].filter((type) => policiesOn(extension, type, action).length > 0)
  return asked.length === 0 ? scope : askAll(extension, scope, action, asked)
}

async function askAll(extension: Policies, scope: Scope, action: Action, types: readonly string[]) {
  const question = { action, documentId: null, scope }
  const answers = await Promise.all(types.map((type) => policiesAllow(extension, { ...question, type })))
  const refused = new Set(types.filter((_type, index) => !answers[index]).sort())
  if (refused.size === 0) return scope
  const narrowed: Scope = {
    key: `${scope.key} no ${action} of ${[...refused]}`,
    principal: scope.principal,
    may: (type, what) => !(what === action && refused.has(type)) && scope.may(type, what),
    rule: (type, what) => scope.rule(type, what),
  }
  return narrowed
}
