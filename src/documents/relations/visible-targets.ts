/**
 * The caller's row rules for the documents that a body names. A document that the caller may not see does not exist for
 * the write; one that the caller may not change cannot be changed from the other side of a relation either.
 */
import { type Model, typeOf } from '../../model/model.ts'
import type { Transaction } from '../../store/store.ts'
import type { RowRules } from '../contract.ts'
import { writtenOf } from '../write-context.ts'
import type { Target, Targets } from './targets.ts'

type Action = Parameters<RowRules>[1]

/** The targets that the caller's rules cover. */
export async function visibleTargets(
  transaction: Transaction,
  model: Model,
  targets: Targets,
  rules: RowRules | undefined,
): Promise<Targets> {
  const rulesOf = ({ type }: Target, actions: readonly Action[]) =>
    actions.flatMap((action) => rules?.(typeOf(model, type), action) ?? [])
  const ruled = targets.all.filter((target) => rulesOf(target, ['find', 'update', 'delete']).length > 0)
  if (ruled.length === 0) return targets
  const isCovered = async (target: Target, actions: readonly Action[]): Promise<boolean> => {
    for (const rule of rulesOf(target, actions))
      if (!(await anyVersionCovered(transaction, target, rule))) return false
    return true
  }
  const hidden = new Set<Target>()
  const readOnly = new Set<Target>()
  for (const target of ruled) {
    if (!(await isCovered(target, ['find']))) hidden.add(target)
    else if (!(await isCovered(target, ['update', 'delete']))) readOnly.add(target)
  }
  return {
    all: targets.all.filter((target) => !hidden.has(target)),
    find(reference, changes) {
      const target = targets.find(reference, changes)
      return target && !hidden.has(target) && !(changes && readOnly.has(target)) ? target : null
    },
  }
}

async function anyVersionCovered(
  transaction: Transaction,
  { documentId, rows }: Target,
  rule: NonNullable<ReturnType<RowRules>>,
): Promise<boolean> {
  for (const row of rows) if (await rule(transaction, writtenOf(documentId, row))) return true
  return false
}
