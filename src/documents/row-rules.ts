/**
 * The caller's row rules for the actions that a write performs on a version. Every operation asks here for each of its
 * actions, before and after the change, so that a rule applies however the action comes about. A document that the caller
 * may neither change nor read does not exist for them: the response is the same as for a document that is missing.
 */
import { errors } from '../errors.ts'
import type { ContentType } from '../model/model.ts'
import type { Transaction } from '../store/store.ts'
import type { DocumentAction, ReadAction, RowRule, WriteRequest, Written } from './contract.ts'
import type { Version } from './versions/version.ts'
import { writtenOf } from './write-context.ts'

type RuledRequest = Pick<WriteRequest, 'scope' | 'rules'>

interface RuledWrite {
  readonly transaction: Transaction
  readonly request: RuledRequest
}

type VersionKind = Pick<Version, 'locale' | 'published'>

/**
 * The rule for publishing as a part of another action. A permission to publish that create or update implies covers what
 * they cover, so it adds no rule.
 */
export const publishRule = ({ scope, rules }: RuledRequest, type: ContentType): RowRule | null =>
  !type.draftAndPublish || scope.rule(type.uid, 'publish')?.isImplied
    ? null
    : (rules?.(type, 'publish') ?? null)

/** Whether the rules on all of the actions cover a version. */
export async function areCovered(
  { transaction, request }: RuledWrite,
  type: ContentType,
  actions: readonly DocumentAction[],
  written: Written,
  publishes = false,
): Promise<boolean> {
  const rules = actions.map((action) => request.rules?.(type, action) ?? null)
  if (publishes) rules.push(publishRule(request, type))
  for (const rule of rules) if (rule && !(await rule(transaction, written))) return false
  return true
}

/** Refuses a write to a version that a rule on one of its actions does not cover. */
export async function checkRules(
  write: RuledWrite,
  type: ContentType,
  actions: readonly DocumentAction[],
  written: Written,
  publishes = false,
): Promise<void> {
  if (!(await areCovered(write, type, actions, written, publishes))) throw errors.forbidden()
}

/** The same before a write; a document of which the caller may read none of its `versions` is not found. */
export async function checkRulesBefore(
  write: RuledWrite,
  type: ContentType,
  actions: readonly DocumentAction[],
  written: Written,
  versions: readonly VersionKind[],
  publishes = false,
): Promise<void> {
  if (await areCovered(write, type, actions, written, publishes)) return
  throw (await canRead(write, type, written.documentId, versions)) ? errors.forbidden() : errors.notFound()
}

/** Whether the caller may read one of the versions of a document, in a list or by itself. */
export async function canRead(
  { transaction, request: { scope, rules } }: RuledWrite,
  type: ContentType,
  documentId: string,
  versions: readonly VersionKind[],
  actions: readonly ReadAction[] = ['find', 'findOne'],
): Promise<boolean> {
  const isCovered = async (action: ReadAction, version: VersionKind) => {
    if (!scope.may(type.uid, action)) return false
    const rule = rules?.(type, action) ?? null
    return !rule || rule(transaction, writtenOf(documentId, version))
  }
  for (const version of versions) {
    const isDraft = type.draftAndPublish && !version.published
    if (isDraft && !(await isCovered('readDrafts', version))) continue
    for (const action of actions) if (await isCovered(action, version)) return true
  }
  return false
}
