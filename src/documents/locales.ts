/** Attributes that are not localized are one value for all locales: drafts agree with drafts, published with published. */
import { EdgeEditor, type Stamp } from './apply.ts'
import type { Blueprint } from './blueprint.ts'
import {
  type Edge,
  edgesOf,
  editedOf,
  NO_ENTRIES,
  sameStored,
  type Version,
  type Versions,
  versionOf,
  withNested,
  withVersion,
} from './version.ts'

/** `to` with everything of `from` that is not localized; relations of the document stay apart. */
export function shared(blueprint: Blueprint, from: Version, to: Version): Version {
  const values = new Map(to.values)
  const lists = new Map(to.lists)
  const edges = new EdgeEditor(to.edges)
  for (const { name, localized } of blueprint.scalars) {
    if (!localized) values.set(name, from.values.get(name) ?? null)
  }
  for (const { name, localized } of blueprint.lists) {
    if (localized) continue
    const list = from.lists.get(name) ?? NO_ENTRIES
    const ids = list.entries.flatMap((top) => [...withNested(top)].map(({ i }) => i))
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

/** Carries what is not localized from a locale to all others of the same status. */
export function spread(blueprint: Blueprint, versions: Versions, locale: string, stamp: Stamp): Versions {
  let result = versions
  for (const published of [false, true]) {
    const from = versionOf(versions, locale, published)
    if (!from) continue
    for (const to of versions) {
      if (to.published !== published || to.locale === locale) continue
      const next = shared(blueprint, from, to)
      if (differ(blueprint, to, next)) {
        result = withVersion(result, { ...next, ...touched(versions, to, stamp), revision: to.revision + 1 })
      }
    }
  }
  return result
}

/** A draft and a published version that agreed must still show the same time, else the locale looks modified. */
function touched(versions: Versions, version: Version, { now, author }: Stamp) {
  const twin = versionOf(versions, version.locale, !version.published)
  const agreed = !twin || twin.updatedAt === version.updatedAt
  return version.published && !agreed ? { updatedBy: author } : { updatedAt: now, updatedBy: author }
}

function differ(blueprint: Blueprint, one: Version, other: Version): boolean {
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

/** The version whose shared attributes a new locale starts with: the default locale's, else any. */
export function originOf(blueprint: Blueprint, versions: Versions): Version | null {
  const { type, model } = blueprint
  return (
    editedOf(type, versions, model.locales.default) ??
    versions.find((version) => version.published === !type.draftAndPublish) ??
    versions[0] ??
    null
  )
}
