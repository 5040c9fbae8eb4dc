/** The `populate` parameter becomes a selection: which relations, media, components and zones an answer shows. */
import { type ContentType, componentOf } from '../../model/model.ts'
import type { Populate, Selection, Slot } from '../../plan/query-tree.ts'
import { parseFields } from '../fields.ts'
import { parseFilters } from '../filters/filters.ts'
import {
  attributesOf,
  canFind,
  documentOf,
  extraNames,
  type Found,
  findName,
  type Subject,
  usableNames,
} from '../find-name.ts'
import { integerParam } from '../pagination.ts'
import type { Param, ParamObject } from '../params.ts'
import { parseBoolean } from '../parse-boolean.ts'
import {
  addValue,
  and,
  atPath,
  countNode,
  forParam,
  INVALID_RULE,
  type ParseContext,
  refuseKey,
  refuseValue,
} from '../parse-context.ts'
import { parseSort } from '../sort.ts'
import { visibleMedia } from '../visible-media.ts'
import {
  NO_POPULATE,
  optionsOf,
  type PopulateMap,
  type PopulateOptions,
  parseOn,
  parsePopulate,
} from './populate-options.ts'
import { isPopulatable, sharedBy } from './shared-options.ts'

/** The selection of a subject: its fields, and what is populated in it. */
export function parseSelection(
  context: ParseContext,
  subject: Subject,
  { fields, populate }: { readonly fields?: Param | undefined; readonly populate?: Param | undefined },
): Selection {
  const populating = forParam(context, 'populate')
  return {
    fields: parseFields(forParam(context, 'fields'), subject, fields),
    populate: select(populating, subject, parsePopulate(populating, populate, true), []),
  }
}

function select(
  context: ParseContext,
  subject: Subject,
  wanted: PopulateMap,
  path: readonly string[],
): Populate[] {
  if (wanted === '*') {
    return populatable(context, subject).flatMap((name) => one(context, subject, name, true, [...path, name]))
  }
  return [...wanted].flatMap(([name, wish]) => one(context, subject, name, wish, [...path, name]))
}

/** What `*` stands for: every relation, media, component and zone that is not private. */
function populatable(context: ParseContext, subject: Subject): string[] {
  const own = [...attributesOf(subject).keys()].filter((name) => isPopulatable(context, subject, name))
  return [...own, ...extraNames(subject)]
}

function one(
  context: ParseContext,
  subject: Subject,
  name: string,
  wish: PopulateOptions | false,
  path: readonly string[],
): Populate[] {
  countNode(context)
  const found = findName(context, subject, name)
  if (found === null || found.kind === 'field')
    return refuseKey(context, name, path, usableNames(context, subject, POPULATABLE))
  if (wish === false) return []
  switch (found.kind) {
    case 'related':
      return [related(context, found, name, wish, path)]
    case 'component':
      return [component(context, found, name, wish, path)]
    case 'zone':
      return [zone(context, subject, found, name, wish, path)]
    case 'morph':
      return [morph(context, subject, found, name, wish, path)]
    case 'usages':
      return [showing(context, name, wish, path)]
    case 'forbidden':
      context.omitted.push(path.join('.'))
      return []
  }
}

const POPULATABLE = ['related', 'component', 'zone', 'morph', 'usages'] as const

/** What a wish selects below itself. */
function below(
  context: ParseContext,
  subject: Subject,
  wish: PopulateOptions,
  options: ParamObject,
  path: readonly string[],
): Selection {
  const wanted =
    wish === true
      ? NO_POPULATE
      : 'names' in wish
        ? wish.names
        : parsePopulate(atPath(context, path), options.populate, false)
  return {
    fields: parseFields(context, subject, options.fields, path),
    populate: select(context, subject, wanted, path),
  }
}

const counted = (context: ParseContext, options: ParamObject, path: readonly string[]): boolean =>
  options.count === undefined
    ? false
    : (parseBoolean(options.count) ?? refuseValue(context, [...path, 'count'], 'expected true or false'))

/** Reads what is checked but has no part in the answer, such as the fields of what is only counted. */
const aside = (context: ParseContext): ParseContext => ({ ...context, values: [], omitted: [] })

const whereOf = (context: ParseContext, subject: Subject, options: ParamObject, path: readonly string[]) =>
  options.filters === undefined ? null : parseFilters(context, subject, options.filters, path)

function related(
  context: ParseContext,
  found: Extract<Found, { kind: 'related' }>,
  name: string,
  wish: PopulateOptions,
  path: readonly string[],
): Populate {
  const { step, many, subject } = found
  const options = optionsOf(
    context,
    wish,
    ['fields', 'filters', 'sort', 'populate', 'count', ...(many ? ['start', 'limit'] : [])],
    path,
  )
  const where = whereOf(context, subject, options, path)
  const isCounted = counted(context, options, path)
  const shown = isCounted ? aside(context) : context
  const number = (key: string, least: number): Slot | null => {
    const value = integerParam(shown, options[key], [...path, key])
    return value === null ? null : addValue(shown, Math.max(value, least))
  }
  const rest = {
    sort: parseSort(atPath(shown, path), subject, options.sort),
    select: below(shown, subject, wish, options, path),
    start: number('start', 0),
    limit: number('limit', 1),
  }
  return isCounted
    ? { kind: 'count', name, step, where }
    : { kind: 'related', name, step, many, where, ...rest }
}

function component(
  context: ParseContext,
  found: Extract<Found, { kind: 'component' }>,
  name: string,
  wish: PopulateOptions,
  path: readonly string[],
): Populate {
  const { step, many, subject } = found
  const options = optionsOf(context, wish, ['fields', 'filters', 'sort', 'populate', 'count'], path)
  const where = whereOf(context, subject, options, path)
  const isCounted = counted(context, options, path)
  const shown = isCounted ? aside(context) : context
  const rest = {
    sort: parseSort(atPath(shown, path), subject, options.sort),
    select: below(shown, subject, wish, options, path),
  }
  return isCounted
    ? { kind: 'count', name, step, where }
    : { kind: 'component', name, step, many, where, ...rest }
}

/**
 * A zone: bare, with `populate=*` for all its components alike, with dotted names that some of its components have, or
 * with `on` for each component by itself, which shows no others.
 */
function zone(
  context: ParseContext,
  owner: Subject,
  found: Extract<Found, { kind: 'zone' }>,
  name: string,
  wish: PopulateOptions,
  path: readonly string[],
): Populate {
  const options = optionsOf(context, wish, ['populate', 'on', 'count'], path)
  const { step, components } = found
  const isCounted = counted(context, options, path)
  const of = entriesOf(isCounted ? aside(context) : context, owner, components, wish, options, path)
  if (!isCounted) return { kind: 'zone', name, step, of }
  return { kind: 'count', name, step, where: null, components: of.map(({ component }) => component) }
}

/** What each component of a zone shows. */
function entriesOf(
  context: ParseContext,
  { type }: Subject,
  components: readonly string[],
  wish: PopulateOptions,
  { on, populate }: ParamObject,
  path: readonly string[],
): Extract<Populate, { kind: 'zone' }>['of'] {
  const entry = (uid: string): Subject => ({
    kind: 'entry',
    type,
    component: componentOf(context.model, uid),
  })
  const wanted = sharedBy(context, wish, populate, components.map(entry), path)
  if (on === undefined) {
    return components.map((uid) => {
      const subject = entry(uid)
      return {
        component: uid,
        select: { fields: null, populate: select(context, subject, wanted(subject), path) },
      }
    })
  }
  return parseOn(context, on, [...path, 'on']).flatMap(([uid, fragment]) => {
    if (!components.includes(uid)) return refuseKey(context, uid, [...path, 'on'], components)
    if (fragment === false) return []
    const inner = optionsOf(context, fragment, ['fields', 'populate'], [...path, uid])
    return [{ component: uid, select: below(context, entry(uid), fragment, inner, path) }]
  })
}

/** A polymorphic relation, to documents of any type that the caller may see. */
function morph(
  context: ParseContext,
  owner: Subject,
  found: Extract<Found, { kind: 'morph' }>,
  name: string,
  wish: PopulateOptions,
  path: readonly string[],
): Populate {
  const relation = {
    type: owner.type.uid,
    component: owner.kind === 'entry' ? owner.component.uid : null,
    attribute: name,
  }
  const seen = [...context.model.types.values()].filter((type) => type.generated && canFind(context, type))
  const of = documentsOf(context, seen, wish, path)
  return { kind: 'morph', name, many: found.attribute.many, relation, of }
}

/** The documents that show a file, of any type that the caller may see, in attributes that the caller may see. */
function showing(
  context: ParseContext,
  name: string,
  wish: PopulateOptions,
  path: readonly string[],
): Populate {
  const media = new Map(
    [...context.model.types.values()]
      .filter((type) => canFind(context, type))
      .map((type) => [type, visibleMedia(context, type)] as const)
      .filter(([, through]) => through.length > 0),
  )
  const through = new Map([...media].map(([{ uid }, relations]) => [uid, relations]))
  const of = documentsOf(context, [...media.keys()], wish, path).flatMap((one) => {
    const relations = through.get(one.type)
    return relations ? [{ ...one, through: relations }] : []
  })
  return { kind: 'usages', name, of }
}

/** Documents of several types: `on` names those to show; without it all that are `seen`, alike as in a zone. */
function documentsOf(
  context: ParseContext,
  seen: readonly ContentType[],
  wish: PopulateOptions,
  path: readonly string[],
): Extract<Populate, { kind: 'morph' }>['of'] {
  const { on, populate } = optionsOf(context, wish, ['on', 'populate'], path)
  const shared = sharedBy(
    context,
    wish,
    populate,
    seen.map((type) => documentOf(type)),
    path,
  )
  if (on === undefined) {
    return seen.flatMap((type) => {
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
  return parseOn(context, on, [...path, 'on']).flatMap(([uid, fragment]) => {
    const type = context.model.types.get(uid)
    if (!type) return refuseKey(context, uid, [...path, 'on'])
    if (fragment === false) return []
    const rule = canFind(context, type) ? context.rowCondition(type) : INVALID_RULE
    if (rule === INVALID_RULE) {
      context.omitted.push(`${path.join('.')}.${uid}`)
      return []
    }
    const subject = documentOf(type)
    const inner = optionsOf(context, fragment, ['fields', 'populate', 'filters'], [...path, uid])
    const selection = below(context, subject, fragment, inner, path)
    const where = and(rule, whereOf(context, subject, inner, path))
    return [{ type: uid, select: selection, where }]
  })
}
