/** Compares two matched models and lists the changes in the order in which they are applied. Pure. */
import { type Attribute, holdsEntries, type ScalarAttribute } from '../../../model/model.ts'
import type { Bound } from '../../../model/scalar-type.ts'
import { allowsFewerEntries, type Change, type MatchedShape, type MatchedType } from './change.ts'
import { type ModelTransition, matchAttributes } from './match-models.ts'

/** Renames first, then drops, conversions, additions, and last the stricter rules. */
const STEP_ORDER: Readonly<Record<Change['kind'], number>> = {
  renameComponent: 1,
  renameType: 1,
  moveTable: 1,
  renameAttribute: 2,
  dropType: 3,
  dropComponent: 3,
  dropAttribute: 3,
  replaceAttribute: 3,
  narrowEntries: 4,
  narrowEdges: 4,
  convertValues: 4,
  addComponent: 5,
  addType: 5,
  addAttribute: 5,
  servePrivate: 6,
  servePublic: 6,
  localize: 7,
  unlocalize: 7,
  addDrafts: 7,
  dropDrafts: 7,
  hideChanges: 7,
  makeSingle: 7,
  makeCollection: 7,
  shareLocales: 8,
  dropIndex: 8,
  addIndex: 8,
  changeSearch: 8,
  allowDuplicates: 8,
  makeUnique: 8,
  require: 9,
  tightenRules: 9,
}

export function compareModels(transition: ModelTransition): Change[] {
  const changes: Change[] = [
    ...transition.types.flatMap(typeChanges),
    ...transition.components.flatMap((on): Change[] => [
      ...(on.previous.uid === on.next.uid ? [] : [{ kind: 'renameComponent', on } as const]),
      ...attributeChanges(on),
    ]),
    ...transition.droppedTypes.map((type) => ({ kind: 'dropType', type }) as const),
    ...transition.droppedComponents.map((component) => ({ kind: 'dropComponent', component }) as const),
    ...transition.addedComponents.map((component) => ({ kind: 'addComponent', component }) as const),
    ...transition.addedTypes.map((type) => ({ kind: 'addType', type }) as const),
  ]
  return changes.sort((one, other) => STEP_ORDER[one.kind] - STEP_ORDER[other.kind])
}

function typeChanges(on: MatchedType): Change[] {
  const { previous, next } = on
  const changes: Change[] = []
  if (previous.uid !== next.uid) changes.push({ kind: 'renameType', on })
  else if (previous.table !== next.table) changes.push({ kind: 'moveTable', on })
  changes.push(...attributeChanges(on))
  if (previous.localized !== next.localized)
    changes.push({ kind: next.localized ? 'localize' : 'unlocalize', on })
  if (previous.draftAndPublish !== next.draftAndPublish)
    changes.push(
      ...(next.draftAndPublish
        ? [{ kind: 'addDrafts', on } as const]
        : [{ kind: 'dropDrafts', on } as const, { kind: 'hideChanges', on } as const]),
    )
  if (previous.kind !== next.kind)
    changes.push({ kind: next.kind === 'single' ? 'makeSingle' : 'makeCollection', on })
  return [...changes, ...indexChanges(on), ...searchChanges(on)]
}

/** The next name of each attribute, by its previous one. */
const newNamesOf = (on: MatchedType) =>
  new Map(matchAttributes(on).matched.map(({ previous, next }) => [previous.name, next.name]))

function searchChanges(on: MatchedType): Change[] {
  const newNames = newNamesOf(on)
  const previous = on.previous.search?.map((name) => newNames.get(name) ?? name)
  const isSame = previous?.toSorted().join() === on.next.search?.toSorted().join()
  return isSame ? [] : [{ kind: 'changeSearch', on }]
}

/** Indexes are equal if they cover the same attributes, renamed or not. */
function indexChanges(on: MatchedType): Change[] {
  const newNames = newNamesOf(on)
  const previousIndexes = on.previous.indexes.map((names) => names.map((name) => newNames.get(name) ?? name))
  const isIn = (index: readonly string[], indexes: readonly (readonly string[])[]) =>
    indexes.some((other) => other.join() === index.join())
  return [
    ...previousIndexes
      .filter((index) => !isIn(index, on.next.indexes))
      .map((attributes) => ({ kind: 'dropIndex', on, attributes }) as const),
    ...on.next.indexes
      .filter((index) => !isIn(index, previousIndexes))
      .map((attributes) => ({ kind: 'addIndex', on, attributes }) as const),
  ]
}

function attributeChanges(on: MatchedShape): Change[] {
  const { matched, added, dropped } = matchAttributes(on)
  return [
    ...dropped.map((attribute) => ({ kind: 'dropAttribute', on, attribute }) as const),
    ...added.map((attribute) => ({ kind: 'addAttribute', on, attribute }) as const),
    ...added
      .filter((attribute) => attribute.required)
      .map((attribute) => ({ kind: 'require', on, from: attribute, to: attribute }) as const),
    ...matched.flatMap(({ previous, next }) => matchedAttributeChanges(on, previous, next)),
  ]
}

function matchedAttributeChanges(on: MatchedShape, from: Attribute, to: Attribute): Change[] {
  const changes: Change[] = []
  if (from.name !== to.name) changes.push({ kind: 'renameAttribute', on, from, to })
  changes.push(...contentChanges(on, from, to))
  if (from.private !== to.private)
    changes.push({ kind: to.private ? 'servePrivate' : 'servePublic', on, from, to })
  if (to.required && !from.required) changes.push({ kind: 'require', on, from, to })
  if (losesLocalization(on, from, to)) changes.push({ kind: 'shareLocales', on, from, to })
  return changes
}

/** Relations always belong to one locale version. */
const losesLocalization = (on: MatchedShape, from: Attribute, to: Attribute) =>
  on.kind === 'type' &&
  on.previous.localized &&
  on.next.localized &&
  from.localized &&
  !to.localized &&
  to.kind !== 'relation'

function contentChanges(on: MatchedShape, from: Attribute, to: Attribute): Change[] {
  if (from.kind === 'scalar' && to.kind === 'scalar') return scalarChanges(on, from, to)
  if (holdsEntries(from) && holdsEntries(to))
    return allowsFewerEntries(from, to) ? [{ kind: 'narrowEntries', on, from, to }] : []
  // The inverse side shows the edges of the owning side and has no content of its own.
  if (isInverse(from)) return isInverse(to) ? [] : [{ kind: 'addAttribute', on, attribute: to }]
  if (from.kind !== to.kind || isInverse(to)) return [{ kind: 'replaceAttribute', on, from, to }]
  if (from.kind === 'relation' && to.kind === 'relation') {
    if (from.target !== to.target || from.morph !== to.morph)
      return [{ kind: 'replaceAttribute', on, from, to }]
    const isNarrower = (from.many && !to.many) || (to.exclusive && !from.exclusive)
    return isNarrower ? [{ kind: 'narrowEdges', on, from, to }] : []
  }
  if (from.kind !== 'media' || to.kind !== 'media') return []
  return from.multiple && !to.multiple ? [{ kind: 'narrowEdges', on, from, to }] : []
}

const isInverse = (attribute: Attribute) => attribute.kind === 'relation' && attribute.side === 'inverse'

function scalarChanges(on: MatchedShape, from: ScalarAttribute, to: ScalarAttribute): Change[] {
  const changes: Change[] = []
  if (from.type !== to.type) changes.push({ kind: 'convertValues', on, from, to })
  if (from.unique !== to.unique)
    changes.push({ kind: to.unique ? 'makeUnique' : 'allowDuplicates', on, from, to })
  if (isStricter(from, to)) changes.push({ kind: 'tightenRules', on, from, to })
  return changes
}

/** Whether a previously valid value may be invalid now. */
function isStricter(from: ScalarAttribute, to: ScalarAttribute): boolean {
  const isRaised = (bound: Bound | null, previous: Bound | null) =>
    bound !== null && (previous === null || bound > previous)
  const isLowered = (bound: Bound | null, previous: Bound | null) =>
    bound !== null && (previous === null || bound < previous)
  return (
    from.type !== to.type ||
    isRaised(to.min, from.min) ||
    isLowered(to.max, from.max) ||
    isRaised(to.minLength, from.minLength) ||
    isLowered(to.maxLength, from.maxLength) ||
    (to.regex !== null && to.regex.source !== from.regex?.source) ||
    from.enum.some((value) => !to.enum.includes(value))
  )
}
