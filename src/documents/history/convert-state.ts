/**
 * Converts a saved state to the current model, with the renames and conversions that migrations have applied to the
 * content since. Pure.
 */
import { type Attribute, FILE, holdsEntries, type Model, ownsEdges, typeOf } from '../../model/model.ts'
import { isServed } from '../../model/privacy.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import { convertValue } from '../../store/migration/convert-value.ts'
import {
  createEntryRewriter,
  type EntryEffect,
  type EntryRewriter,
} from '../../store/migration/entries/entry-rewriter.ts'
import type { Change, MatchedType } from '../../store/migration/plan/change.ts'
import { compareModels } from '../../store/migration/plan/compare-models.ts'
import { matchAttributes, matchModels } from '../../store/migration/plan/match-models.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import { EntryList, entryAndNested, NO_ENTRIES, type Version } from '../versions/version.ts'

/** A content-type before and after one migration. */
export interface TypeMigration {
  readonly on: MatchedType
  readonly entries: EntryRewriter
}

/** A state with the attributes of the current model. */
export interface ConvertedState {
  readonly version: Version
  /** The values of public attributes that the model no longer has, under their last names. */
  readonly removed: ReadonlyMap<string, unknown>
  /** The names of public components, zones, relations and media of which something is left out. */
  readonly incomplete: ReadonlySet<string>
}

/**
 * The migrations of a content-type through consecutive models, of which the last is the current one. Null if the
 * content-type was removed in between: then it is another one that happens to have the same uid.
 */
export function typeMigrations(models: readonly Model[], uid: string): readonly TypeMigration[] | null {
  const migrations: TypeMigration[] = []
  let current = uid
  for (let index = models.length - 1; index > 0; index--) {
    const [previous, next] = [models[index - 1], models[index]]
    if (!previous || !next) return null
    const transition = matchModels(previous, next)
    const on = transition.types.find((type) => type.next.uid === current)
    if (!on) return null
    migrations.unshift({ on, entries: createEntryRewriter(transition, compareModels(transition)) })
    current = on.previous.uid
  }
  return migrations
}

/** The state under the current model. What the model cannot hold is left out. */
export function convertState(
  blueprint: Blueprint,
  migrations: readonly TypeMigration[],
  saved: Version,
): ConvertedState {
  const start: ConvertedState = { version: saved, removed: new Map(), incomplete: new Set() }
  const { version, removed, incomplete } = migrations.reduce(applyMigration, start)
  const lostEdges = losesEdges(blueprint, version) ? replacedRelations(migrations) : []
  return {
    version: withAllAttributes(blueprint, version),
    removed,
    incomplete: new Set([...incomplete, ...lostEdges]),
  }
}

/** Whether the document itself has edges of a relation that no longer exists. */
const losesEdges = ({ relations }: Blueprint, { edges }: Version): boolean =>
  [...(edges.get(0) ?? [])].some(([relation, list]) => list.length > 0 && !relations.includes(relation))

/** The names of public relations and media that were removed, or replaced by others of the same name. */
const replacedRelations = (migrations: readonly TypeMigration[]): string[] =>
  migrations.flatMap(({ on }) => {
    const { matched, dropped } = matchAttributes(on)
    const replaced = matched.filter(({ previous, next }) => targetOf(previous) !== targetOf(next))
    return [...dropped, ...replaced.map(({ previous }) => previous)]
      .filter((attribute) => ownsEdges(attribute) && isServed(attribute))
      .map(({ name }) => name)
  })

const targetOf = (attribute: Attribute): string | null =>
  !ownsEdges(attribute) ? '' : attribute.kind === 'media' ? FILE : attribute.target

function applyMigration(
  { version, removed, incomplete }: ConvertedState,
  { on, entries }: TypeMigration,
): ConvertedState {
  const values = new Map<string, Stored | null>()
  const lists = new Map<string, EntryList>()
  const { matched, dropped } = matchAttributes(on)
  const nowRemoved = new Map(removed)
  const newNames = new Map(matched.map(({ previous, next }) => [previous.name, next.name]))
  const nowIncomplete = new Set([...incomplete].map((name) => newNames.get(name) ?? name))
  for (const { previous, next } of matched) {
    const stored = version.values.get(previous.name) ?? null
    const list = version.lists.get(previous.name)
    if (previous.kind === 'scalar' && stored !== null) {
      const conversion = next.kind === 'scalar' ? convertValue(stored, previous, next) : null
      if (conversion?.ok) values.set(next.name, conversion.value)
      else if (isServed(previous)) nowRemoved.set(previous.name, servedValue(previous.type, stored))
    } else if (list && holdsEntries(previous) && holdsEntries(next)) {
      const report = (_: Change, effect: EntryEffect) => {
        if (effect === 'lost' && isServed(next)) nowIncomplete.add(next.name)
      }
      const observer = { report, uniqueValues: new Set<string>() }
      lists.set(next.name, EntryList.of(entries.rewrite(list.entries, previous, next, observer)))
    } else if (list && isServed(previous) && list.entries.length > 0) nowIncomplete.add(previous.name)
  }
  for (const attribute of dropped) {
    const stored = version.values.get(attribute.name) ?? null
    if (attribute.kind === 'scalar' && stored !== null && isServed(attribute))
      nowRemoved.set(attribute.name, servedValue(attribute.type, stored))
    const list = version.lists.get(attribute.name)
    if (list && isServed(attribute) && list.entries.length > 0) nowIncomplete.add(attribute.name)
  }
  return { version: { ...version, values, lists }, removed: nowRemoved, incomplete: nowIncomplete }
}

const servedValue = (type: keyof typeof scalarTypes, stored: Stored): unknown =>
  JSON.parse(scalarTypes[type].json(stored))

/** The version with a value for every attribute, and with edges of existing relations and entries only. */
function withAllAttributes({ scalars, lists, relations, model, type }: Blueprint, version: Version): Version {
  const known = new Set(relations)
  const kept = new Map(lists.map(({ name }) => [name, version.lists.get(name) ?? NO_ENTRIES]))
  const entries = new Set([0])
  for (const list of kept.values())
    for (const top of list.entries) for (const { i } of entryAndNested(top)) entries.add(i)
  const { draftAndPublish, localized } = typeOf(model, type.uid)
  return {
    ...version,
    published: version.published || !draftAndPublish,
    locale: localized ? version.locale || model.locales.default : '',
    values: new Map(
      scalars.map(({ name, type }) => [name, storedValue(type, version.values.get(name) ?? null)]),
    ),
    lists: kept,
    edges: new Map(
      [...version.edges].flatMap(([entry, byRelation]) =>
        entries.has(entry)
          ? [[entry, new Map([...byRelation].filter(([relation]) => known.has(relation)))] as const]
          : [],
      ),
    ),
  }
}

/** Big integers are strings in a stored state. */
const storedValue = (type: keyof typeof scalarTypes, stored: Stored | null): Stored | null =>
  typeof stored === 'string' && scalarTypes[type].family === 'number' ? BigInt(stored) : stored
