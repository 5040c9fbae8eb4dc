/** Attributes that are not localized: one value for the drafts of all locales, and one for the published versions. */
import type { ScalarAttribute } from '../../model/model.ts'
import type { ShapeInput } from '../input/body.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import { EdgeEditor } from './apply-input.ts'
import {
  type Edge,
  edgesOf,
  editableVersionOf,
  entryAndNested,
  NO_ENTRIES,
  type Stamp,
  sameStored,
  type Version,
  type Versions,
  versionOf,
} from './version.ts'

/** `to` with the values of `from` that are not localized. Relations of the document itself are not shared. */
export function withSharedValues(blueprint: Blueprint, from: Version, to: Version): Version {
  const values = new Map(to.values)
  const lists = new Map(to.lists)
  const edges = new EdgeEditor(to.edges)
  for (const { name, localized } of blueprint.scalars) {
    if (!localized) values.set(name, from.values.get(name) ?? null)
  }
  for (const { name, localized } of blueprint.lists) {
    if (localized) continue
    const list = from.lists.get(name) ?? NO_ENTRIES
    const ids = list.entries.flatMap((top) => [...entryAndNested(top)].map(({ i }) => i))
    const own = ids.flatMap((id): [number, ReadonlyMap<number, readonly Edge[]>][] => {
      const relations = from.edges.get(id)
      return relations ? [[id, relations]] : []
    })
    edges.replaceEntries(lists.get(name) ?? NO_ENTRIES, new Map(own))
    lists.set(name, list)
  }
  for (const { attribute, relation } of blueprint.owned.values()) {
    if (attribute.kind === 'media' && !attribute.localized) edges.set(0, relation, edgesOf(from, 0, relation))
  }
  return { ...to, values, lists, edges: edges.lists }
}

/** Copies the values that are not localized from one locale to all others of the same status. */
export function copyToOtherLocales(
  blueprint: Blueprint,
  versions: Versions,
  locale: string,
  stamp: Stamp,
): Versions {
  const copied = versions.map((to) => {
    const from = to.locale === locale ? null : versionOf(versions, locale, to.published)
    const next = from ? withSharedValues(blueprint, from, to) : to
    return differs(blueprint, to, next) ? next : to
  })
  const isChanged = (version: Version) => !versions.includes(version)
  return copied.map((version) => {
    if (!isChanged(version)) return version
    const twin = versionOf(copied, version.locale, !version.published)
    const updatedAt = twin ? updateTime(blueprint, version, twin, isChanged(twin), stamp) : stamp.now
    return { ...version, updatedAt, updatedBy: stamp.author, revision: version.revision + 1 }
  })
}

/** A draft and a published version with equal content must have the same time, else the locale counts as modified. */
function updateTime(
  blueprint: Blueprint,
  version: Version,
  twin: Version,
  isTwinChanged: boolean,
  { now }: Stamp,
): string {
  if (haveSameTime(version, twin)) return now
  if (!differs(blueprint, version, twin)) return isTwinChanged ? now : twin.updatedAt
  return version.published ? version.updatedAt : now
}

const haveSameTime = (version: Version, twin: Version) => version.updatedAt === twin.updatedAt

/**
 * Whether copying to other locales may make a modified draft there equal to its published version again. The comparison
 * needs their edges too.
 */
export function mayMatchPublished(
  blueprint: Blueprint,
  versions: Versions,
  locale: string,
  input: ShapeInput,
) {
  const isShared = ({ name, localized, generate }: ScalarAttribute) =>
    !localized && (generate || input.has(name))
  return (
    blueprint.type.localized &&
    blueprint.scalars.some(isShared) &&
    versions.some((version) => {
      const twin = version.locale === locale ? null : versionOf(versions, version.locale, !version.published)
      return twin && !haveSameTime(version, twin)
    })
  )
}

function differs(blueprint: Blueprint, one: Version, other: Version): boolean {
  if (one === other) return false
  return (
    blueprint.scalars.some(
      ({ name }) => !sameStored(one.values.get(name) ?? null, other.values.get(name) ?? null),
    ) ||
    blueprint.lists.some(({ name }) => !listOf(one, name).equals(listOf(other, name))) ||
    edgeText(one) !== edgeText(other)
  )
}

const listOf = ({ lists }: Version, name: string) => lists.get(name) ?? NO_ENTRIES

const edgeText = ({ edges }: Version) =>
  JSON.stringify(
    [...edges]
      .flatMap(([entry, relations]) =>
        [...relations].flatMap(([relation, list]) =>
          list.map((edge) => [entry, relation, edge.target, edge.position]),
        ),
      )
      .sort(),
  )

/** The version from which a new locale takes the shared values: the default locale's, else any. */
export function sourceOfNewLocale(blueprint: Blueprint, versions: Versions): Version | null {
  const { type, model } = blueprint
  return (
    editableVersionOf(type, versions, model.locales.default) ??
    versions.find((version) => version.published === !type.draftAndPublish) ??
    versions[0] ??
    null
  )
}
