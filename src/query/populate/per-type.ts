/**
 * Selections for the components of a zone, and for the types of a polymorphic relation: for those that `on` lists, or for
 * all of them with the same options.
 */
import type { ContentType } from '../../model/model.ts'
import type { Condition, Populate, Selection } from '../../plan/query-tree.ts'
import { parseFields } from '../fields.ts'
import { canFind, documentOf, type Subject } from '../find-name.ts'
import type { ParamObject } from '../params.ts'
import { and, atPath, INVALID_RULE, type ParseContext, refuseKey } from '../parse-context.ts'
import { parseSort } from '../sort.ts'
import { publicationConditions } from '../version-params.ts'
import { optionsOf, type PopulateMap, type PopulateOptions, parseOn, whereOf } from './populate-options.ts'
import { sharedPopulate } from './shared-options.ts'

/** How selections are parsed inside something that is populated. */
export interface Selectors {
  select(
    context: ParseContext,
    subject: Subject,
    populate: PopulateMap,
    path: readonly string[],
  ): readonly Populate[]
  selectBelow(
    context: ParseContext,
    subject: Subject,
    requested: PopulateOptions,
    options: ParamObject,
    path: readonly string[],
  ): Selection
}

const OPTIONS = ['fields', 'filters', 'sort', 'populate']

/**
 * The selection for each component of a zone; `entries` are entries of all its components. `shown` is the context of options
 * that do not matter if entries are only counted.
 */
export function selectPerComponent(
  context: ParseContext,
  shown: ParseContext,
  entries: readonly EntrySubject[],
  requested: PopulateOptions,
  { on, populate }: ParamObject,
  path: readonly string[],
  { select, selectBelow }: Selectors,
): Extract<Populate, { kind: 'zone' }>['of'] {
  const populateOf = sharedPopulate(context, requested, populate, entries, path)
  if (on === undefined) {
    return entries.map((entry) => ({
      component: entry.component.uid,
      select: { fields: null, populate: select(shown, entry, populateOf(entry), path) },
      where: null,
      sort: [],
    }))
  }
  return parseOn(context, on, [...path, 'on']).flatMap(([uid, typeOptions]) => {
    const entry = entries.find(({ component }) => component.uid === uid)
    if (!entry) {
      const known = entries.map(({ component }) => component.uid)
      return refuseKey(context, uid, [...path, 'on'], known)
    }
    if (typeOptions === false) return []
    const inner = optionsOf(context, typeOptions, OPTIONS, [...path, uid])
    return [
      {
        component: uid,
        where: whereOf(context, entry, inner, path),
        sort: parseSort(atPath(shown, path), entry, inner.sort),
        select: selectBelow(shown, entry, typeOptions, inner, path),
      },
    ]
  })
}

type EntrySubject = Extract<Subject, { kind: 'entry' }>

/** The selection for each type of a polymorphic relation: the types in `on`, or all visible types with the same options. */
export function selectPerType(
  context: ParseContext,
  shown: ParseContext,
  visibleTypes: readonly ContentType[],
  requested: PopulateOptions,
  { on, populate }: ParamObject,
  path: readonly string[],
  { select, selectBelow }: Selectors,
): Extract<Populate, { kind: 'morph' }>['of'] {
  const shared = sharedPopulate(
    context,
    requested,
    populate,
    visibleTypes.map((type) => documentOf(type)),
    path,
  )
  if (on === undefined) {
    return visibleTypes.flatMap((type) => {
      const visible = visibleOf(context, type, path)
      if (visible === HIDDEN) return []
      const subject = documentOf(type)
      const fields = parseFields(shown, subject, undefined, path)
      const selection = { fields, populate: select(shown, subject, shared(subject), path) }
      return [{ type: type.uid, select: selection, where: visible, sort: [] }]
    })
  }
  return parseOn(context, on, [...path, 'on']).flatMap(([uid, typeOptions]) => {
    const type = context.model.types.get(uid)
    if (!type) return refuseKey(context, uid, [...path, 'on'])
    if (typeOptions === false) return []
    const visible = visibleOf(context, type, path)
    if (visible === HIDDEN) return []
    const subject = documentOf(type)
    const inner = optionsOf(context, typeOptions, OPTIONS, [...path, uid])
    return [
      {
        type: uid,
        where: and(visible, whereOf(context, subject, inner, path)),
        sort: parseSort(atPath(shown, path), subject, inner.sort),
        select: selectBelow(shown, subject, typeOptions, inner, path),
      },
    ]
  })
}

const HIDDEN = Symbol('hidden')

/** The condition on documents of a type that the caller may see, or HIDDEN if it may see none; then it is listed as omitted. */
function visibleOf(
  context: ParseContext,
  type: ContentType,
  path: readonly string[],
): Condition | null | typeof HIDDEN {
  const kindPath = [...path, type.uid]
  const rule = canFind(context, type) ? context.rowCondition(type) : INVALID_RULE
  if (rule === INVALID_RULE) {
    context.omitted.push(kindPath.join('.'))
    return HIDDEN
  }
  const published = publicationOf(context, type, kindPath)
  return published === null ? HIDDEN : and(rule, ...published)
}

/**
 * The conditions that `publicationFilter` adds to populated documents of a type; null, and the path is listed as omitted, if
 * they would reveal drafts that the caller may not read.
 */
export function publicationOf(
  context: ParseContext,
  type: ContentType,
  path: readonly string[],
): readonly Condition[] | null {
  const conditions = publicationConditions(context.publication, type, context.scope)
  if (conditions === null) context.omitted.push(path.join('.'))
  return conditions
}
