/**
 * The caller's row rules for the actions that a write performs on a version. Every operation asks here for each of its
 * actions, before and after the change, so that a rule applies however the action comes about.
 */
import { errors } from '../errors.ts'
import type { ContentType } from '../model/model.ts'
import type { Transaction } from '../store/store.ts'
import type { DocumentAction, RowRule, WriteRequest, Written } from './contract.ts'

type RuledRequest = Pick<WriteRequest, 'scope' | 'rules'>

/**
 * The rule for publishing as a part of another action. A permission to publish that create or update implies covers what
 * they cover, so it adds no rule.
 */
export const publishRule = ({ scope, rules }: RuledRequest, type: ContentType): RowRule | null =>
  !type.draftAndPublish || scope.rule(type.uid, 'publish')?.isImplied
    ? null
    : (rules?.(type, 'publish') ?? null)

/** Refuses a write to a version that a rule on one of its actions does not cover. */
export async function checkRules(
  { transaction, request }: { readonly transaction: Transaction; readonly request: RuledRequest },
  type: ContentType,
  actions: readonly DocumentAction[],
  written: Written,
  publishes = false,
): Promise<void> {
  const rules = actions.map((action) => request.rules?.(type, action) ?? null)
  if (publishes) rules.push(publishRule(request, type))
  for (const rule of rules) if (rule && !(await rule(transaction, written))) throw errors.forbidden()
}
