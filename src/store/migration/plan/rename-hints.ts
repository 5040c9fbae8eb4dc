/** Recognises a drop that may be an undeclared rename, and says how to declare it. Pure. */
import type { Attribute, ScalarAttribute } from '../../../model/model.ts'
import { isSecret } from '../../../model/privacy.ts'
import { scalarTypes } from '../../../model/scalars/index.ts'
import { nearest } from '../../../project/suggest.ts'
import type { Change } from './change.ts'
import type { Effect } from './migration-plan.ts'

interface Added {
  readonly name: string
  readonly renamedFrom?: string | undefined
}

interface InspectedChange {
  readonly change: Change
  readonly effect: Effect
}

/** The hint for one change of a plan, or null if it does not look like a rename. */
export function renameHint(
  { change, effect }: InspectedChange,
  plan: readonly InspectedChange[],
): string | null {
  if (effect !== 'lossy') return null
  const changes = plan.map((planned) => planned.change)
  switch (change.kind) {
    case 'dropAttribute': {
      const { on, attribute } = change
      const added = changes.flatMap((other) =>
        other.kind === 'addAttribute' && other.on === on && isSimilar(other.attribute, attribute)
          ? [other.attribute]
          : [],
      )
      return hintFor(attribute.name, added)
    }
    case 'dropType': {
      const added = changes.flatMap((other) =>
        other.kind === 'addType' ? [{ name: other.type.uid, renamedFrom: other.type.renamedFrom }] : [],
      )
      return hintFor(change.type.uid, added)
    }
    default:
      return null
  }
}

/** Whether both hold text, or both hold numbers. */
function isSameFamily(one: ScalarAttribute, other: ScalarAttribute): boolean {
  const { family } = scalarTypes[one.type]
  return (
    (family === 'text' || family === 'number') &&
    family === scalarTypes[other.type].family &&
    !isSecret(one) &&
    !isSecret(other)
  )
}

/** Whether the content of one attribute could be that of the other. */
function isSimilar(one: Attribute, other: Attribute): boolean {
  if (one.kind === 'scalar' && other.kind === 'scalar')
    return one.type === other.type || isSameFamily(one, other)
  if (one.kind === 'relation' && other.kind === 'relation') return one.target === other.target
  return one.kind === other.kind
}

/** Prefers an addition with a misspelt `renamedFrom`, then a similar name, then the only candidate. */
function hintFor(dropped: string, added: readonly Added[]): string | null {
  const misspelt = added.find(
    ({ renamedFrom }) => renamedFrom !== undefined && nearest(renamedFrom, [dropped]) !== null,
  )
  if (misspelt)
    return `${misspelt.name} has "renamedFrom": "${misspelt.renamedFrom}"; did you mean "${dropped}"?`
  const similar = nearest(
    dropped,
    added.map(({ name }) => name),
  )
  const [only, ...others] = added
  const name = similar ?? (others.length === 0 ? only?.name : undefined)
  return name === undefined
    ? null
    : `If ${dropped} was renamed to ${name}, add "renamedFrom": "${dropped}" to ${name} to keep its content`
}
