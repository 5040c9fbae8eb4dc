/** Attributes that are not localized are one value for all locales: drafts agree with drafts, published with published. */
import type { ScalarAttribute } from '../../model/model.ts'
import type { ShapeInput } from '../input/body.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import { EdgeEditor, type Stamp } from './apply-input.ts'
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
  const carried = versions.map((to) => {
    const from = to.locale === locale ? null : versionOf(versions, locale, to.published)
    const next = from ? shared(blueprint, from, to) : to
    return differ(blueprint, to, next) ? next : to
  })
  const isCarried = (version: Version) => !versions.includes(version)
  return carried.map((version) => {
    if (!isCarried(version)) return version
    const twin = versionOf(carried, version.locale, !version.published)
    const updatedAt = twin ? timeBeside(blueprint, version, twin, isCarried(twin), stamp) : stamp.now
    return { ...version, updatedAt, updatedBy: stamp.author, revision: version.revision + 1 }
  })
}

/** A draft and a published version that agree must show the same time, else the locale looks modified. */
function timeBeside(
  blueprint: Blueprint,
  version: Version,
  twin: Version,
  isTwinCarried: boolean,
  { now }: Stamp,
): string {
  if (looksAlike(version, twin)) return now
  if (!differ(blueprint, version, twin)) return isTwinCarried ? now : twin.updatedAt
  return version.published ? version.updatedAt : now
}

const looksAlike = (version: Version, twin: Version) => version.updatedAt === twin.updatedAt

/** Whether what is carried to other locales may make a modified draft there agree with what is published: edges count too. */
export function mayAgreeAgain(blueprint: Blueprint, versions: Versions, locale: string, input: ShapeInput) {
  const isShared = ({ name, localized, generate }: ScalarAttribute) =>
    !localized && (generate || input.has(name))
  return (
    blueprint.type.localized &&
    blueprint.scalars.some(isShared) &&
    versions.some((version) => {
      const twin = version.locale === locale ? null : versionOf(versions, version.locale, !version.published)
      return twin && !looksAlike(version, twin)
    })
  )
}

function differ(blueprint: Blueprint, one: Version, other: Version): boolean {
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
