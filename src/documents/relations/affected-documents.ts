/**
 * The caller's row rules on the documents that a write changes beside its own, through relations. Those that the body
 * names are looked at in `covered.ts` before it begins; here are those that lose something without being named, and
 * whether what has become of either is still within the rules.
 */
import { errors } from '../../errors.ts'
import type { ContentType } from '../../model/model.ts'
import type { Transaction } from '../../store/store.ts'
import type { Rules, Written } from '../contract.ts'

type Action = Parameters<Rules>[1]

export interface Others {
  /** Whether there is a rule that documents of this type have to be looked at for. */
  areRuled(type: ContentType): boolean
  /** Refuses to take something from documents that a rule hides or keeps from being changed. */
  lose(type: ContentType, versions: readonly Written[]): Promise<void>
  /** Notes versions that have changed, for `check`. */
  change(type: ContentType, versions: readonly Written[]): void
  /** Refuses a write that left a document outside of the rule that it was changed under. */
  check(): Promise<void>
}

/** The same demands as on a document that is named. */
const TO_LOSE: readonly Action[] = ['find', 'update', 'delete']

export function othersOf(transaction: Transaction, rules: Rules | undefined): Others {
  const changed = new Map<ContentType, Written[]>()
  const testsOf = (type: ContentType, actions: readonly Action[]) =>
    actions.flatMap((action) => rules?.(type, action) ?? [])

  async function demand(type: ContentType, versions: readonly Written[], actions: readonly Action[]) {
    const tests = versions.length > 0 ? testsOf(type, actions) : []
    if (tests.length === 0) return
    for (const of of Map.groupBy(versions, ({ documentId }) => documentId).values())
      for (const test of tests) if (!(await someOf(of, test))) throw errors.forbidden()
  }

  const someOf = async (versions: readonly Written[], test: NonNullable<ReturnType<Rules>>) => {
    for (const version of versions) if (await test(transaction, version)) return true
    return false
  }

  return {
    areRuled: (type) => testsOf(type, TO_LOSE).length > 0,
    lose: (type, versions) => demand(type, versions, TO_LOSE),
    change(type, versions) {
      changed.set(type, [...(changed.get(type) ?? []), ...versions])
    },
    async check() {
      for (const [type, versions] of changed) await demand(type, versions, ['update'])
    },
  }
}
