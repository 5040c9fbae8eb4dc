/**
 * Component entries as the next model has them: renamed, converted, narrowed, with the served JSON of their scalars made
 * again. Pure. What would be lost is told to a tally, so that a plan can say it before anything happens.
 */
import type { Component, ScalarAttribute } from '../../../model/model.ts'
import type { Stored } from '../../../model/scalar-type.ts'
import { scalarTypes } from '../../../model/scalars/index.ts'
import type { Entry } from '../../tables/entry.ts'
import { convertValue } from '../convert-value.ts'
import {
  allowedComponents,
  allowsMany,
  type Change,
  type EntriesAttribute,
  holdsEntries,
  type MatchedComponent,
} from '../plan/change.ts'
import { type ModelTransition, matchAttributes } from '../plan/match-models.ts'

/** Hears what a change does to an entry: it is about it, takes content from it, or finds content in its way. */
export type ReportEffect = (change: Change, effect: 'touched' | 'lost' | 'inTheWay') => void

/** Who hears of one version while its entries are rewritten, and the unique values that its entries have had so far. */
export interface RewriteObserver {
  readonly report: ReportEffect
  readonly seenValues: Set<string>
}

export interface EntryRewriter {
  /** Whether entries of a list may change at all. */
  mayChange(from: EntriesAttribute, to: EntriesAttribute): boolean
  /** The entries of a list under the next model. */
  rewrite(
    entries: readonly Entry[],
    from: EntriesAttribute,
    to: EntriesAttribute,
    hearing?: RewriteObserver,
  ): readonly Entry[]
}

interface ScalarPlan {
  readonly to: ScalarAttribute
  readonly from: ScalarAttribute | null
  readonly converts: Change | null
  readonly requires: Change | null
  readonly tightens: Change | null
  readonly distinguishes: Change | null
}

interface ListPlan {
  readonly to: EntriesAttribute
  readonly from: EntriesAttribute
  readonly narrows: Change | null
}

interface ComponentPlan {
  readonly next: Component
  readonly previousScalars: ReadonlyMap<string, ScalarAttribute>
  readonly scalars: readonly ScalarPlan[]
  readonly lists: readonly ListPlan[]
  /** Attributes whose content goes, by name, with the change that says so. */
  readonly dropped: ReadonlyMap<string, Change>
  readonly changes: readonly Change[]
  readonly isChanged: boolean
}

type Values = Map<string, Stored | null>

export function createEntryRewriter(transition: ModelTransition, changes: readonly Change[]): EntryRewriter {
  const plans = new Map(
    transition.components.map((on) => [on.previous.uid, planOf(on, changes.filter(isAbout(on)))]),
  )
  const touched = touchedComponents(transition, plans)

  function rewriteList(
    entries: readonly Entry[],
    to: EntriesAttribute,
    hearing: RewriteObserver,
    narrows: Change | null,
  ): readonly Entry[] {
    const allowed = new Set(allowedComponents(to))
    const kept = entries.filter((entry) => allowed.has(plans.get(entry.c)?.next.uid ?? ''))
    const fitting = allowsMany(to) ? kept : kept.slice(0, 1)
    if (narrows && fitting.length < entries.length) hearing.report(narrows, 'lost')
    return fitting.map((entry) => rewriteEntry(entry, hearing))
  }

  function rewriteEntry(entry: Entry, hearing: RewriteObserver): Entry {
    const { report: tally } = hearing
    const plan = plans.get(entry.c)
    if (!plan || !touched.has(entry.c)) return entry
    for (const change of plan.changes) tally(change, 'touched')
    const values = valuesOf(entry, plan.previousScalars)
    const { s, p } = rewriteScalars(values, plan, hearing)
    const nested: Record<string, readonly Entry[]> = {}
    for (const { from, to, narrows } of plan.lists) {
      const list = entry.n?.[from.name]
      if (list) nested[to.name] = rewriteList(list, to, hearing, narrows)
    }
    for (const [name, change] of plan.dropped) {
      if ((values.get(name) ?? null) !== null || (entry.n?.[name] ?? []).length > 0) tally(change, 'lost')
    }
    return {
      i: entry.i,
      d: entry.d,
      c: plan.next.uid,
      s,
      ...(p && { p }),
      ...(Object.keys(nested).length > 0 && { n: nested }),
    }
  }

  return {
    mayChange: (from, to) =>
      isNarrower(from, to) ||
      allowedComponents(from).some((uid) => touched.has(previousUid(transition, uid))),
    rewrite: (entries, from, to, hearing = { report: () => {}, seenValues: new Set() }) =>
      rewriteList(entries, to, hearing, changes.find(isNarrowing(from, to)) ?? null),
  }
}

const isAbout = (on: MatchedComponent) => (change: Change) => 'on' in change && change.on === on

const isNarrower = (from: EntriesAttribute, to: EntriesAttribute) =>
  (allowsMany(from) && !allowsMany(to)) ||
  allowedComponents(from).some((uid) => !allowedComponents(to).includes(uid))

const isNarrowing = (from: EntriesAttribute, to: EntriesAttribute) => (change: Change) =>
  change.kind === 'narrowEntries' && change.from === from && change.to === to

/** Attributes of the previous model point at components by their new uids; entries carry the old ones. */
const previousUid = ({ components }: ModelTransition, uid: string) =>
  components.find(({ next }) => next.uid === uid)?.previous.uid ?? uid

/** The components whose entries change, and those that can hold such entries; by previous uid. */
function touchedComponents(
  transition: ModelTransition,
  plans: ReadonlyMap<string, ComponentPlan>,
): Set<string> {
  const touched = new Set([...plans].filter(([, plan]) => plan.isChanged).map(([uid]) => uid))
  for (let before = -1; before !== touched.size; ) {
    before = touched.size
    for (const { previous } of transition.components) {
      const inner = [...previous.attributes.values()].filter(holdsEntries).flatMap(allowedComponents)
      if (inner.some((uid) => touched.has(previousUid(transition, uid)))) touched.add(previous.uid)
    }
  }
  return touched
}

function planOf(on: MatchedComponent, changes: readonly Change[]): ComponentPlan {
  const { matched: kept, added, dropped } = matchAttributes(on)
  const previous = new Map(kept.map((pair) => [pair.next.name, pair.previous]))
  const find = (kind: Change['kind'], name: string) =>
    changes.find((change) => change.kind === kind && 'to' in change && change.to.name === name) ?? null
  const gone = changes.flatMap((change): [string, Change][] => {
    if (change.kind === 'dropAttribute') return [[change.attribute.name, change]]
    return change.kind === 'replaceAttribute' ? [[change.from.name, change]] : []
  })
  const next = [...on.next.attributes.values()]
  return {
    next: on.next,
    previousScalars: new Map(
      [...on.previous.attributes].flatMap(([name, a]): [string, ScalarAttribute][] =>
        a.kind === 'scalar' ? [[name, a]] : [],
      ),
    ),
    scalars: next
      .filter((to) => to.kind === 'scalar')
      .map((to): ScalarPlan => {
        const from = previous.get(to.name)
        return {
          to,
          from: from?.kind === 'scalar' ? from : null,
          converts: find('convertValues', to.name),
          requires: find('require', to.name),
          tightens: find('tightenRules', to.name),
          distinguishes: find('makeUnique', to.name),
        }
      }),
    lists: next.filter(holdsEntries).flatMap((to): ListPlan[] => {
      const from = previous.get(to.name)
      return from && holdsEntries(from) ? [{ from, to, narrows: find('narrowEntries', to.name) }] : []
    }),
    dropped: new Map(gone),
    changes,
    isChanged:
      added.length + dropped.length + changes.length > 0 || orderOf(on.previous) !== orderOf(on.next),
  }
}

/** The served JSON has the attributes in the order of the model. */
const orderOf = ({ attributes }: Component) => [...attributes.keys()].join()

const isServed = (attribute: ScalarAttribute) => !attribute.private && attribute.type !== 'password'

function rewriteScalars(
  values: Values,
  plan: ComponentPlan,
  hearing: RewriteObserver,
): Pick<Entry, 's' | 'p'> {
  const { report: tally } = hearing
  let s = ''
  const p: Record<string, string | number> = {}
  for (const { to, from, converts, requires, tightens, distinguishes } of plan.scalars) {
    const before = from ? (values.get(from.name) ?? null) : null
    const after = before === null || !from ? null : converted(before, from, to, converts, tally)
    if (requires && after === null) tally(requires, 'inTheWay')
    if (tightens && after !== null && !isValid(after, to)) tally(tightens, 'inTheWay')
    if (distinguishes && after !== null && isTaken(hearing, plan.next, to, after))
      tally(distinguishes, 'inTheWay')
    if (isServed(to)) {
      s += `,${JSON.stringify(to.name)}:${after === null ? 'null' : scalarTypes[to.type].json(after)}`
    } else if (after !== null) p[to.name] = typeof after === 'bigint' ? String(after) : after
  }
  return Object.keys(p).length > 0 ? { s, p } : { s }
}

/** Whether another entry of the version had this value; it is taken from now on. */
function isTaken(
  { seenValues: taken }: RewriteObserver,
  { uid }: Component,
  { name }: ScalarAttribute,
  value: Stored,
): boolean {
  const key = JSON.stringify([uid, name, String(value)])
  if (taken.has(key)) return true
  taken.add(key)
  return false
}

function converted(
  stored: Stored,
  from: ScalarAttribute,
  to: ScalarAttribute,
  converts: Change | null,
  tally: ReportEffect,
): Stored | null {
  const result = convertValue(stored, from, to)
  if (converts && !(result.ok && result.lossless)) tally(converts, 'lost')
  return result.ok ? result.value : null
}

/** Whether a stored value is one that the attribute would accept. */
export function isValid(stored: Stored, attribute: ScalarAttribute): boolean {
  if (attribute.type === 'password') return true
  const { json, parse } = scalarTypes[attribute.type]
  return parse(JSON.parse(json(stored)), attribute, 'full').ok
}

/** What columns would hold for the scalars of an entry. */
function valuesOf(entry: Entry, attributes: ReadonlyMap<string, ScalarAttribute>): Values {
  const served: Record<string, unknown> = entry.s === '' ? {} : JSON.parse(`{${entry.s.slice(1)}}`)
  const values: Values = new Map(Object.entries(entry.p ?? {}))
  for (const [name, value] of Object.entries(served)) {
    const type = attributes.get(name)?.type
    values.set(name, value === null ? null : storedForm(type === 'json' || type === 'blocks', value))
  }
  return values
}

function storedForm(isJson: boolean, served: unknown): Stored {
  if (!isJson && (typeof served === 'string' || typeof served === 'number')) return served
  if (!isJson && typeof served === 'boolean') return Number(served)
  return JSON.stringify(served)
}

/** The ids of entries and of those inside them. */
export const collectEntryIds = (entries: readonly Entry[]): number[] =>
  entries.flatMap((entry) => [entry.i, ...Object.values(entry.n ?? {}).flatMap(collectEntryIds)])
