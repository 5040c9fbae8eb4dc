/**
 * Rewrites component entries for the next model: renames, converts and drops values, removes entries that are no longer
 * allowed, and rebuilds the served JSON. Pure. Losses are reported, so that a plan can list them beforehand.
 */
import {
  type Component,
  type EntriesAttribute,
  holdsEntries,
  type ScalarAttribute,
} from '../../../model/model.ts'
import { isServed } from '../../../model/privacy.ts'
import type { Stored } from '../../../model/scalar-type.ts'
import { scalarTypes } from '../../../model/scalars/index.ts'
import type { Entry } from '../../tables/entry.ts'
import { convertValue } from '../convert-value.ts'
import { allowedComponents, allowsFewerEntries, allowsMany, type Change } from '../plan/change.ts'
import type { ModelTransition } from '../plan/match-models.ts'
import { type ComponentRewrite, createComponentRewrite } from './component-rewrite.ts'
import { type EntryValues, isValid, readEntryValues } from './entry-values.ts'

/** What a change does to an entry: it concerns it, removes content from it, or makes its content invalid. */
export type EntryEffect = 'affected' | 'lost' | 'invalid'

/** Observes the rewriting of the entries of one row. */
export interface RewriteObserver {
  report(change: Change, effect: EntryEffect): void
  /** The values of unique attributes found so far in the entries of the row. */
  readonly uniqueValues: Set<string>
}

export interface EntryRewriter {
  /** Whether any entry of this attribute can change. */
  mayChange(from: EntriesAttribute, to: EntriesAttribute): boolean
  /** The entries of an attribute as the next model stores them. */
  rewrite(
    entries: readonly Entry[],
    from: EntriesAttribute,
    to: EntriesAttribute,
    observer?: RewriteObserver,
  ): readonly Entry[]
}

export function createEntryRewriter(transition: ModelTransition, changes: readonly Change[]): EntryRewriter {
  const rewrites = new Map(
    transition.components.map((on) => [
      on.previous.uid,
      createComponentRewrite(
        on,
        changes.filter((change) => 'on' in change && change.on === on),
      ),
    ]),
  )
  const changing = changingComponents(transition, rewrites)

  function rewriteList(
    entries: readonly Entry[],
    to: EntriesAttribute,
    narrowEntries: Change | null,
    observer: RewriteObserver,
  ): readonly Entry[] {
    const allowed = new Set(allowedComponents(to))
    const ofAllowed = entries.filter((entry) => allowed.has(rewrites.get(entry.c)?.next.uid ?? ''))
    const kept = allowsMany(to) ? ofAllowed : ofAllowed.slice(0, 1)
    if (narrowEntries && kept.length < entries.length) observer.report(narrowEntries, 'lost')
    return kept.map((entry) => rewriteEntry(entry, observer))
  }

  function rewriteEntry(entry: Entry, observer: RewriteObserver): Entry {
    const rewrite = rewrites.get(entry.c)
    if (!rewrite || !changing.has(entry.c)) return entry
    for (const change of rewrite.changes) observer.report(change, 'affected')
    const values = readEntryValues(entry, rewrite.previousScalars)
    const { s, p } = rewriteScalars(values, rewrite, observer)
    const nested: Record<string, readonly Entry[]> = {}
    for (const { from, to, narrowEntries } of rewrite.nested) {
      const list = entry.n?.[from.name]
      if (list) nested[to.name] = rewriteList(list, to, narrowEntries, observer)
    }
    for (const [name, change] of rewrite.dropped) {
      const hasContent = (values.get(name) ?? null) !== null || (entry.n?.[name] ?? []).length > 0
      if (hasContent) observer.report(change, 'lost')
    }
    return {
      i: entry.i,
      d: entry.d,
      c: rewrite.next.uid,
      s,
      ...(p && { p }),
      ...(Object.keys(nested).length > 0 && { n: nested }),
    }
  }

  return {
    mayChange: (from, to) =>
      allowsFewerEntries(from, to) ||
      allowedComponents(from).some((uid) => changing.has(previousUid(transition, uid))),
    rewrite: (entries, from, to, observer = { report: () => {}, uniqueValues: new Set() }) =>
      rewriteList(entries, to, changes.find(isNarrowing(from, to)) ?? null, observer),
  }
}

const isNarrowing = (from: EntriesAttribute, to: EntriesAttribute) => (change: Change) =>
  change.kind === 'narrowEntries' && change.from === from && change.to === to

/** Stored entries have previous uids; attributes of the previous model refer to components by new uids. */
const previousUid = ({ components }: ModelTransition, uid: string) =>
  components.find(({ next }) => next.uid === uid)?.previous.uid ?? uid

/** The previous uids of the components whose entries change or can contain entries that do. */
function changingComponents(
  transition: ModelTransition,
  rewrites: ReadonlyMap<string, ComponentRewrite>,
): Set<string> {
  const changing = new Set([...rewrites].filter(([, { isChanged }]) => isChanged).map(([uid]) => uid))
  for (let sizeBefore = -1; sizeBefore !== changing.size; ) {
    sizeBefore = changing.size
    for (const { previous } of transition.components) {
      const nested = [...previous.attributes.values()].filter(holdsEntries).flatMap(allowedComponents)
      if (nested.some((uid) => changing.has(previousUid(transition, uid)))) changing.add(previous.uid)
    }
  }
  return changing
}

function rewriteScalars(
  values: EntryValues,
  rewrite: ComponentRewrite,
  observer: RewriteObserver,
): Pick<Entry, 's' | 'p'> {
  let s = ''
  const p: Record<string, string | number> = {}
  for (const { to, from, convertValues, require, tightenRules, makeUnique } of rewrite.scalars) {
    const before = from ? (values.get(from.name) ?? null) : null
    const conversion = from && before !== null ? convertValue(before, from, to) : null
    const after = conversion?.ok ? conversion.value : null
    if (convertValues && conversion && !(conversion.ok && conversion.lossless))
      observer.report(convertValues, 'lost')
    if (require && after === null) observer.report(require, 'invalid')
    if (tightenRules && after !== null && !isValid(after, to)) observer.report(tightenRules, 'invalid')
    if (makeUnique && after !== null && after !== '' && isDuplicate(observer, rewrite.next, to, after))
      observer.report(makeUnique, 'invalid')
    if (isServed(to)) {
      s += `,${JSON.stringify(to.name)}:${after === null ? 'null' : scalarTypes[to.type].json(after)}`
    } else if (after !== null) p[to.name] = typeof after === 'bigint' ? String(after) : after
  }
  return Object.keys(p).length > 0 ? { s, p } : { s }
}

/** Whether an earlier entry of the row has this value; remembers it for later ones. */
function isDuplicate(
  { uniqueValues }: RewriteObserver,
  { uid }: Component,
  { name }: ScalarAttribute,
  value: Stored,
): boolean {
  const key = JSON.stringify([uid, name, String(value)])
  if (uniqueValues.has(key)) return true
  uniqueValues.add(key)
  return false
}

/** The ids of entries and of all entries nested in them. */
export const collectEntryIds = (entries: readonly Entry[]): number[] =>
  entries.flatMap((entry) => [entry.i, ...Object.values(entry.n ?? {}).flatMap(collectEntryIds)])
