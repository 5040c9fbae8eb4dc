/**
 * The stored form of a saved state: a version of a document as compact JSON. Relations are stored by their numbers, which
 * survive renames, and attributes by the names that they have in the model of the time. Passwords are left out.
 */
import { componentOf, type Model } from '../../model/model.ts'
import { isSecret } from '../../model/privacy.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { isObject, type Values } from '../../project/values.ts'
import type { Entry } from '../../store/tables/entry.ts'
import { reachableComponents } from '../../store/tables/layout.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import { type Edge, type EdgeLists, EntryList, NO_ENTRIES, type Version } from '../versions/version.ts'

/** createdAt, updatedAt, publishedAt, createdBy, updatedBy, revision. */
type Stamps = readonly [string, string, string | null, string | null, string | null, number]

/** A documentId; with the uid of its type on polymorphic relations. */
type StoredTarget = string | readonly [documentId: string, type: string]

type StoredEdges = readonly [relation: number, entry: number, targets: readonly StoredTarget[]]

interface StoredState {
  readonly t: Stamps
  /** Scalars that are not null. */
  readonly v: Readonly<Record<string, string | number>>
  /** Components and zones that are set. */
  readonly l: Readonly<Record<string, readonly Entry[]>>
  readonly e: readonly StoredEdges[]
}

/** The content of a version as JSON: equal texts mean equal content. */
export function serializeContent(blueprint: Blueprint, version: Version): string {
  const { lists, model } = blueprint
  let values = ''
  for (const { name, key } of savedScalars(blueprint)) {
    const stored = version.values.get(name) ?? null
    if (stored === null) continue
    const json = typeof stored === 'bigint' ? `"${stored}"` : JSON.stringify(stored)
    values += values === '' ? key + json : `,${key}${json}`
  }
  let entries = ''
  for (const { name } of lists) {
    const list = version.lists.get(name) ?? NO_ENTRIES
    if (!list.isSet) continue
    const json = hasSecretEntries(blueprint) ? JSON.stringify(withoutSecrets(model, list.entries)) : list.text
    entries += `${entries === '' ? '' : ','}${JSON.stringify(name)}:${json}`
  }
  return `"v":{${values}},"l":{${entries}},"e":${JSON.stringify(storedEdges(version.edges))}`
}

/** The whole state; `content` is the result of `serializeContent`. */
export function serializeState(version: Version, content: string): string {
  const { createdAt, updatedAt, publishedAt, createdBy, updatedBy, revision } = version
  const stamps: Stamps = [createdAt, updatedAt, publishedAt, createdBy, updatedBy, revision]
  return `{"t":${JSON.stringify(stamps)},${content}}`
}

function storedEdges(edges: EdgeLists): StoredEdges[] {
  const stored: StoredEdges[] = []
  for (const [entry, relations] of edges)
    for (const [relation, list] of relations)
      if (list.length > 0) stored.push([relation, entry, list.map(storedTarget)])
  return stored.sort(([relation, entry], [other, otherEntry]) => relation - other || entry - otherEntry)
}

const storedTarget = ({ target, targetType }: Edge): StoredTarget =>
  targetType === null ? target : [target, targetType]

interface SavedScalar {
  readonly name: string
  /** The beginning of its member in JSON: `"name":`. */
  readonly key: string
}

const scalarsByBlueprint = new WeakMap<Blueprint, readonly SavedScalar[]>()

function savedScalars(blueprint: Blueprint): readonly SavedScalar[] {
  let saved = scalarsByBlueprint.get(blueprint)
  if (!saved) {
    saved = blueprint.scalars
      .filter((attribute) => !isSecret(attribute))
      .map(({ name }) => ({ name, key: `${JSON.stringify(name)}:` }))
    scalarsByBlueprint.set(blueprint, saved)
  }
  return saved
}

const secretEntries = new WeakMap<Blueprint, boolean>()

function hasSecretEntries(blueprint: Blueprint): boolean {
  let has = secretEntries.get(blueprint)
  if (has === undefined) {
    has = reachableComponents(blueprint.model, blueprint.type).some(({ attributes }) =>
      [...attributes.values()].some(isSecret),
    )
    secretEntries.set(blueprint, has)
  }
  return has
}

const withoutSecrets = (model: Model, entries: readonly Entry[]): Entry[] =>
  entries.map(({ p, n, ...entry }) => {
    const { attributes } = componentOf(model, entry.c)
    const isKept = ([name]: [string, unknown]) => {
      const attribute = attributes.get(name)
      return !attribute || !isSecret(attribute)
    }
    return {
      ...entry,
      ...(p && { p: Object.fromEntries(Object.entries(p).filter(isKept)) }),
      ...(n && {
        n: Object.fromEntries(Object.entries(n).map(([name, list]) => [name, withoutSecrets(model, list)])),
      }),
    }
  })

const isText = (value: unknown) => typeof value === 'string'
const isTextOrNumber = (value: unknown) => isText(value) || typeof value === 'number'

/** Whether a value from an archive has the form of a stored state. */
export function isStoredState(value: Values): boolean {
  const { t, v, l, e } = value
  return (
    Array.isArray(t) &&
    t.length === 6 &&
    t.every((stamp: unknown) => stamp === null || isTextOrNumber(stamp)) &&
    isObject(v) &&
    Object.values(v).every(isTextOrNumber) &&
    isObject(l) &&
    Object.values(l).every(isEntryList) &&
    Array.isArray(e) &&
    e.every(isEdges)
  )
}

const isEntryList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (entry: unknown) =>
      isObject(entry) &&
      Number.isSafeInteger(entry.i) &&
      isText(entry.d) &&
      isText(entry.c) &&
      isText(entry.s) &&
      (entry.p === undefined || isObject(entry.p)) &&
      (entry.n === undefined || (isObject(entry.n) && Object.values(entry.n).every(isEntryList))),
  )

const isEdges = (value: unknown): boolean => {
  const [relation, entry, targets]: unknown[] = Array.isArray(value) ? value : []
  const isTarget = (target: unknown) =>
    isText(target) || (Array.isArray(target) && target.length === 2 && target.every(isText))
  return (
    Number.isSafeInteger(relation) &&
    Number.isSafeInteger(entry) &&
    Array.isArray(targets) &&
    targets.every(isTarget)
  )
}

/** What the row of a saved state holds beside its content. */
export interface StateRow {
  readonly rowId: number | null
  readonly locale: string
  readonly published: boolean
  readonly state: string
}

/** The version that was saved, with the attributes that the model had then. */
export function parseState({ rowId, locale, published, state }: StateRow): Version {
  const { t, v, l, e }: StoredState = JSON.parse(state)
  const [createdAt, updatedAt, publishedAt, createdBy, updatedBy, revision] = t
  return {
    ...{ id: rowId, locale, published, createdAt, updatedAt, publishedAt, createdBy, updatedBy, revision },
    values: new Map<string, Stored | null>(Object.entries(v)),
    lists: new Map(Object.entries(l).map(([name, entries]) => [name, EntryList.of(entries)])),
    edges: edgesFrom(e),
  }
}

function edgesFrom(stored: readonly StoredEdges[]): EdgeLists {
  const byEntry = new Map<number, Map<number, readonly Edge[]>>()
  for (const [relation, entry, targets] of stored) {
    const relations = byEntry.get(entry) ?? new Map<number, readonly Edge[]>()
    byEntry.set(entry, relations)
    relations.set(
      relation,
      targets.map((target, index): Edge => {
        const [documentId, targetType] = typeof target === 'string' ? [target, null] : target
        return { target: documentId, targetType, position: index + 1, inversePosition: 0 }
      }),
    )
  }
  return byEntry
}
