/**
 * Selections for the components of a zone, and for the types of a polymorphic relation: for those that `on` lists, or for
 * all of them with the same options.
 */
import type { ContentType } from '../../model/model.ts'
import type { Populate, Selection } from '../../plan/query-tree.ts'
import { parseFields } from '../fields.ts'
import { canFind, documentOf, type Subject } from '../find-name.ts'
import type { ParamObject } from '../params.ts'
import { and, INVALID_RULE, type ParseContext, refuseKey } from '../parse-context.ts'
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

/** The selection for each component of a zone; `entries` are entries of all its components. */
export function selectPerComponent(
  context: ParseContext,
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
      select: { fields: null, populate: select(context, entry, populateOf(entry), path) },
    }))
  }
  return parseOn(context, on, [...path, 'on']).flatMap(([uid, typeOptions]) => {
    const entry = entries.find(({ component }) => component.uid === uid)
    if (!entry) {
      const known = entries.map(({ component }) => component.uid)
      return refuseKey(context, uid, [...path, 'on'], known)
    }
    if (typeOptions === false) return []
    const inner = optionsOf(context, typeOptions, ['fields', 'populate'], [...path, uid])
    return [{ component: uid, select: selectBelow(context, entry, typeOptions, inner, path) }]
  })
}

type EntrySubject = Extract<Subject, { kind: 'entry' }>

/** The selection for each type of a polymorphic relation: the types in `on`, or all visible types with the same options. */
export function selectPerType(
  context: ParseContext,
  visibleTypes: readonly ContentType[],
  requested: PopulateOptions,
  path: readonly string[],
  { select, selectBelow }: Selectors,
): Extract<Populate, { kind: 'morph' }>['of'] {
  const { on, populate } = optionsOf(context, requested, ['on', 'populate'], path)
  const shared = sharedPopulate(
    context,
    requested,
    populate,
    visibleTypes.map((type) => documentOf(type)),
    path,
  )
  if (on === undefined) {
    return visibleTypes.flatMap((type) => {
      const rule = context.rowCondition(type)
      if (rule === INVALID_RULE) {
        context.omitted.push(`${path.join('.')}.${type.uid}`)
        return []
      }
      const subject = documentOf(type)
      const fields = parseFields(context, subject, undefined, path)
      const selection = { fields, populate: select(context, subject, shared(subject), path) }
      return [{ type: type.uid, select: selection, where: rule }]
    })
  }
  return parseOn(context, on, [...path, 'on']).flatMap(([uid, typeOptions]) => {
    const type = context.model.types.get(uid)
    if (!type) return refuseKey(context, uid, [...path, 'on'])
    if (typeOptions === false) return []
    const rule = canFind(context, type) ? context.rowCondition(type) : INVALID_RULE
    if (rule === INVALID_RULE) {
      context.omitted.push(`${path.join('.')}.${uid}`)
      return []
    }
    const subject = documentOf(type)
    const inner = optionsOf(context, typeOptions, ['fields', 'populate', 'filters'], [...path, uid])
    const selection = selectBelow(context, subject, typeOptions, inner, path)
    const where = and(rule, whereOf(context, subject, inner, path))
    return [{ type: uid, select: selection, where }]
  })
}
