/**
 * The caller's row rules for other documents that a write changes through relations. Documents named in the body are
 * checked by `visible-targets.ts` before the write; here are those that lose a relation without being named, and the
 * check that every changed document still satisfies the rules afterwards.
 */
import { errors } from '../../errors.ts'
import type { ContentType } from '../../model/model.ts'
import type { Transaction } from '../../store/store.ts'
import type { DocumentAction, RowRule, WriteRequest, Written } from '../contract.ts'
import { publishRule } from '../row-rules.ts'

type Action = 'find' | DocumentAction

/** The same actions that a document named in the body must allow. */
const ACTIONS_TO_LOSE: readonly Action[] = ['find', 'update', 'delete']

export class AffectedDocuments {
  readonly #transaction: Transaction
  readonly #request: WriteRequest
  readonly #changed = new Map<ContentType, Written[]>()

  constructor(transaction: Transaction, request: WriteRequest) {
    this.#transaction = transaction
    this.#request = request
  }

  hasRules(type: ContentType): boolean {
    return this.#rulesOf(type, ACTIONS_TO_LOSE, true).length > 0
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

  #rulesOf(type: ContentType, actions: readonly Action[], isPublished: boolean): RowRule[] {
    const rules = actions.map((action) => this.#request.rules?.(type, action) ?? null)
    if (isPublished) rules.push(publishRule(this.#request, type))
    return rules.filter((rule) => rule !== null)
  }

  async #check(type: ContentType, versions: readonly Written[], actions: readonly Action[]) {
    for (const document of Map.groupBy(versions, ({ documentId }) => documentId).values()) {
      const isPublished = document.some(({ status }) => status === 'published')
      for (const rule of this.#rulesOf(type, actions, isPublished))
        if (!(await this.#anyCovered(document, rule))) throw errors.forbidden()
    }
  }

  async #anyCovered(versions: readonly Written[], rule: RowRule) {
    for (const version of versions) if (await rule(this.#transaction, version)) return true
    return false
  }
}
