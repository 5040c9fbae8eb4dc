/** What takes content away may be a rename that nobody has declared: the plan says how to declare it. Pure. */
import type { Attribute, ScalarTypeName } from '../../../model/model.ts'
import { nearest } from '../../../project/suggest.ts'
import type { Change } from './change.ts'
import type { Effect } from './migration-plan.ts'

interface Named {
  readonly name: string
  readonly renamedFrom?: string | undefined
}

type Found = { readonly change: Change; readonly effect: Effect }

/** The hint for a change among all others of its plan, or null when there is nothing to say. */
export function renameHint({ change, effect }: Found, plan: readonly Found[]): string | null {
  if (effect !== 'lossy') return null
  const changes = plan.map((one) => one.change)
  switch (change.kind) {
    case 'dropAttribute': {
      const { on, attribute } = change
      const added = changes.flatMap((one) =>
        one.kind === 'addAttribute' && one.on === on && isLike(one.attribute, attribute)
          ? [one.attribute]
          : [],
      )
      return hint(attribute.name, added)
    }
    case 'dropType': {
      const added = changes.flatMap((one) => (one.kind === 'addType' ? [asNamed(one.type)] : []))
      return hint(change.type.uid, added)
    }
    default:
      return null
  }
}

const WORDS: readonly ScalarTypeName[] = ['string', 'text', 'richtext', 'email', 'uid', 'enumeration']
const NUMBERS: readonly ScalarTypeName[] = ['integer', 'biginteger', 'float', 'decimal']

/** Whether the content of one could be that of the other. */
function isLike(one: Attribute, other: Attribute): boolean {
  if (one.kind === 'scalar' && other.kind === 'scalar')
    return [[one.type], WORDS, NUMBERS].some((all) => all.includes(one.type) && all.includes(other.type))
  if (one.kind === 'relation' && other.kind === 'relation') return one.target === other.target
  return one.kind === other.kind
}

const asNamed = ({ uid, renamedFrom }: { readonly uid: string; readonly renamedFrom?: string }): Named => ({
  name: uid,
  renamedFrom,
})

/** One that was declared as a rename of nothing is the likeliest; else there must be no doubt which one is meant. */
function hint(dropped: string, added: readonly Named[]): string | null {
  const declared = added.find(
    ({ renamedFrom }) => renamedFrom !== undefined && nearest(renamedFrom, [dropped]) !== null,
  )
  if (declared)
    return `${declared.name} has "renamedFrom": "${declared.renamedFrom}"; did you mean "${dropped}"?`
  const alike = nearest(
    dropped,
    added.map(({ name }) => name),
  )
  const [only, ...others] = added
  const name = alike ?? (others.length === 0 ? only?.name : undefined)
  return name === undefined
    ? null
    : `If it is called ${name} now, declare that there with "renamedFrom": "${dropped}", and nothing is lost`
}
