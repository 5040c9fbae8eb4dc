/**
 * The caller's row rules for the documents that a body names. A document that the caller may not see does not exist for
 * the write; one that the caller may not change cannot be changed from the other side of a relation either.
 */
import { FILE, type Model, typeOf } from '../../model/model.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { Transaction } from '../../store/store.ts'
import type { RowRule, WriteRequest } from '../contract.ts'
import { canRead, publishRule } from '../row-rules.ts'
import { writtenOf } from '../write-context.ts'
import type { Reference } from './operation.ts'
import type { Target, Targets } from './targets.ts'

interface NamingWrite {
  readonly request: WriteRequest
  /** The references to documents that the write changes, as on the inverse side of a relation. */
  readonly changed: readonly Reference[]
  readonly publishes: boolean
}

/** The targets that the caller's rules cover. */
export async function visibleTargets(
  transaction: Transaction,
  model: Model,
  targets: Targets,
  { request, changed, publishes }: NamingWrite,
): Promise<Targets> {
  const { rules } = request
  if (!rules) return targets
  const changedTargets = new Set(changed.map((reference) => targets.find(reference)))
  const rulesToChange = (target: Target) => {
    if (!changedTargets.has(target)) return []
    const type = typeOf(model, target.type)
    const isPublished = publishes && target.rows.some(({ published }) => published)
    return [rules(type, 'update'), rules(type, 'delete'), isPublished ? publishRule(request, type) : null]
  }
  const isCovered = async (target: Target, ruled: readonly (RowRule | null)[]): Promise<boolean> => {
    for (const rule of ruled) if (rule && !(await anyVersionCovered(transaction, target, rule))) return false
    return true
  }
  const hidden = new Set<Target>()
  const readOnly = new Set<Target>()
  for (const target of targets.all) {
    if (!(await isVisible(transaction, model, request, target))) hidden.add(target)
    else if (!(await isCovered(target, rulesToChange(target)))) readOnly.add(target)
  }
  if (hidden.size === 0 && readOnly.size === 0) return targets
  return {
    all: targets.all.filter((target) => !hidden.has(target)),
    find(reference, changes) {
      const target = targets.find(reference, changes)
      return target && !hidden.has(target) && !(changes && readOnly.has(target)) ? target : null
    },
  }
}

/** Whether the caller may see a document in relations. */
export function isVisible(
  transaction: Transaction,
  model: Model,
  request: Pick<WriteRequest, 'scope' | 'rules'>,
  { type, documentId, rows }: Target,
): MaybePromise<boolean> {
  // Only files can be seen and named without permission to find them: as media of a document (`named-files.ts`).
  if (!request.scope.may(type, 'find')) return type === FILE
  return canRead({ transaction, request }, typeOf(model, type), documentId, rows, ['find'])
}

async function anyVersionCovered(
  transaction: Transaction,
  { documentId, rows }: Target,
  rule: RowRule,
): Promise<boolean> {
  for (const row of rows) if (await rule(transaction, writtenOf(documentId, row))) return true
  return false
}
