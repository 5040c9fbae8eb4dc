/**
 * The caller's row rules on the documents that a body names: one that they do not show is not there, and one that they
 * keep from being changed cannot be changed from the other side of a relation either. `others.ts` has the rules on those
 * that a write changes without naming them.
 */
import { type Model, typeOf } from '../../model/model.ts'
import type { Transaction } from '../../store/store.ts'
import type { Rules } from '../contract.ts'
import type { Target, Targets } from './targets.ts'

/** The same documents, without those that a rule leaves out. */
export async function coveredTargets(
  transaction: Transaction,
  model: Model,
  targets: Targets,
  rules: Rules | undefined,
): Promise<Targets> {
  const testsOf = ({ type }: Target, actions: readonly Parameters<Rules>[1][]) =>
    actions.flatMap((action) => rules?.(typeOf(model, type), action) ?? [])
  const ruled = targets.all.filter((target) => testsOf(target, ['find', 'update', 'delete']).length > 0)
  if (ruled.length === 0) return targets
  const covered = async (target: Target, actions: readonly Parameters<Rules>[1][]): Promise<boolean> => {
    for (const test of testsOf(target, actions))
      if (!(await someVersion(target, (version) => test(transaction, version)))) return false
    return true
  }
  const hidden = new Set<Target>()
  const fixed = new Set<Target>()
  for (const target of ruled) {
    if (!(await covered(target, ['find']))) hidden.add(target)
    else if (!(await covered(target, ['update', 'delete']))) fixed.add(target)
  }
  return {
    all: targets.all.filter((target) => !hidden.has(target)),
    find(reference, changes) {
      const target = targets.find(reference, changes)
      return target && !hidden.has(target) && !(changes && fixed.has(target)) ? target : null
    },
  }
}

async function someVersion(
  { documentId, rows }: Target,
  test: (version: { documentId: string; locale: string; status: 'draft' | 'published' }) => Promise<boolean>,
): Promise<boolean> {
  for (const { locale, published } of rows)
    if (await test({ documentId, locale, status: published ? 'published' : 'draft' })) return true
  return false
}
