/**
 * The caller's row rules for other documents that a write changes through relations. Documents named in the body are
 * checked by `visible-targets.ts` before the write; here are those that lose a relation without being named, and the
 * check that every changed document still satisfies the rules afterwards.
 */
import { errors } from '../../errors.ts'
import type { ContentType } from '../../model/model.ts'
import type { Transaction } from '../../store/store.ts'
import type { RowRules, Written } from '../contract.ts'

type Action = Parameters<RowRules>[1]

/** The same actions that a document named in the body must allow. */
const ACTIONS_TO_LOSE: readonly Action[] = ['find', 'update', 'delete']

export class AffectedDocuments {
  readonly #transaction: Transaction
  readonly #rules: RowRules | undefined
  readonly #changed = new Map<ContentType, Written[]>()

  constructor(transaction: Transaction, rules: RowRules | undefined) {
    this.#transaction = transaction
    this.#rules = rules
  }

  hasRules(type: ContentType): boolean {
    return this.#rulesOf(type, ACTIONS_TO_LOSE).length > 0
  }

  /** Refuses to take a relation from documents that the caller may not see or change. */
  checkLosing(type: ContentType, versions: readonly Written[]): Promise<void> {
    return this.#check(type, versions, ACTIONS_TO_LOSE)
  }

  addChanged(type: ContentType, versions: readonly Written[]) {
    this.#changed.set(type, [...(this.#changed.get(type) ?? []), ...versions])
  }

  /** Refuses a write that left a changed document outside the caller's rules. */
  async checkChanged(): Promise<void> {
    for (const [type, versions] of this.#changed) await this.#check(type, versions, ['update'])
  }

  #rulesOf(type: ContentType, actions: readonly Action[]) {
    return actions.flatMap((action) => this.#rules?.(type, action) ?? [])
  }

  async #check(type: ContentType, versions: readonly Written[], actions: readonly Action[]) {
    const rules = versions.length > 0 ? this.#rulesOf(type, actions) : []
    if (rules.length === 0) return
    for (const document of Map.groupBy(versions, ({ documentId }) => documentId).values())
      for (const rule of rules) if (!(await this.#anyCovered(document, rule))) throw errors.forbidden()
  }

  async #anyCovered(versions: readonly Written[], rule: NonNullable<ReturnType<RowRules>>) {
    for (const version of versions) if (await rule(this.#transaction, version)) return true
    return false
  }
}
