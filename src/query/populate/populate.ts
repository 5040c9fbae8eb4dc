/** Parses `fields` and `populate` into a selection: what a response shows of a document. */
import { type ContentType, componentOf, typeOf } from '../../model/model.ts'
import type { Condition, Populate, Selection, Slot } from '../../plan/query-tree.ts'
import { parseFields } from '../fields.ts'
import {
  attributesOf,
  canFind,
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
  type ParseContext,
  refuseKey,
  refuseValue,
} from '../parse-context.ts'
import { parseSort } from '../sort.ts'
import { visibleMedia } from '../visible-media.ts'
import { visibleReferrers } from '../visible-referrers.ts'
import { publicationOf, type Selectors, selectPerComponent, selectPerType } from './per-type.ts'
import {
  NO_POPULATE,
  optionsOf,
  type PopulateMap,
  type PopulateOptions,
  parsePopulate,
  whereOf,
} from './populate-options.ts'
import { isPopulatable } from './shared-options.ts'

export function parseSelection(
  context: ParseContext,
  subject: Subject,
  { fields, populate }: { readonly fields?: Param | undefined; readonly populate?: Param | undefined },
): Selection {
  const populateContext = forParam(context, 'populate')
  return {
    fields: parseFields(forParam(context, 'fields'), subject, fields),
    populate: select(populateContext, subject, parsePopulate(populateContext, populate, true), []),
  }
}

function select(
  context: ParseContext,
  subject: Subject,
  populate: PopulateMap,
  path: readonly string[],
): Populate[] {
  if (populate === '*') {
    return populatable(context, subject).flatMap((name) =>
      populateName(context, subject, name, true, [...path, name]),
    )
  }
  return [...populate].flatMap(([name, requested]) =>
    populateName(context, subject, name, requested, [...path, name]),
  )
}

/** What `*` populates: every visible relation, media attribute, component and zone. */
function populatable(context: ParseContext, subject: Subject): string[] {
  const own = [...attributesOf(subject).keys()].filter((name) => isPopulatable(context, subject, name))
  return [...own, ...extraNames(subject)]
}

function populateName(
  context: ParseContext,
  subject: Subject,
  name: string,
  requested: PopulateOptions | false,
  path: readonly string[],
): Populate[] {
  countNode(context)
  const found = findName(context, subject, name)
  if (found === null || found.kind === 'field' || (found.kind === 'author' && !found.canPopulate))
    return refuseKey(context, name, path, usableNames(context, subject, POPULATABLE))
  if (requested === false) return []
  switch (found.kind) {
    case 'related': {
      const published = publicationOf(context, typeOf(context.model, found.step.target), path)
      return published ? [related(context, found, name, requested, path, published)] : []
    }
    case 'component':
      return [component(context, found, name, requested, path)]
    case 'zone':
      return [zone(context, subject, found, name, requested, path)]
    case 'morph':
      return [morph(context, subject, found, name, requested, path)]
    case 'usages':
      return [usages(context, found, name, requested, path)]
    case 'author':
      optionsOf(context, requested, [], path)
      return [{ kind: 'author', name, column: found.field.column }]
    case 'forbidden':
      context.omitted.push(path.join('.'))
      return []
  }
}

const POPULATABLE = ['related', 'component', 'zone', 'morph', 'usages'] as const

/** The selection inside something that is populated. */
function selectBelow(
  context: ParseContext,
  subject: Subject,
  requested: PopulateOptions,
  options: ParamObject,
  path: readonly string[],
): Selection {
  const populate =
    requested === true
      ? NO_POPULATE
      : 'names' in requested
        ? requested.names
        : parsePopulate(atPath(context, path), options.populate, false)
  return {
    fields: parseFields(context, subject, options.fields, path),
    populate: select(context, subject, populate, path),
  }
}

const SELECTORS: Selectors = { select, selectBelow }

const isCountRequested = (context: ParseContext, options: ParamObject, path: readonly string[]): boolean =>
  options.count === undefined
    ? false
    : (parseBoolean(options.count) ?? refuseValue(context, [...path, 'count'], 'expected true or false'))

/** A context for options that are checked but not used, such as the fields of documents that are only counted. */
const checkOnly = (context: ParseContext): ParseContext => ({ ...context, values: [], omitted: [] })

function related(
  context: ParseContext,
  found: Extract<Found, { kind: 'related' }>,
  name: string,
  requested: PopulateOptions,
  path: readonly string[],
  published: readonly Condition[],
): Populate {
  const { step, many, subject } = found
  const options = optionsOf(
    context,
    requested,
    ['fields', 'filters', 'sort', 'populate', 'count', ...(many ? ['start', 'limit'] : [])],
    path,
  )
  const where = and(...published, whereOf(context, subject, options, path))
  const isCounted = isCountRequested(context, options, path)
  const shown = isCounted ? checkOnly(context) : context
  const number = (key: string, min: number): Slot | null => {
    const value = integerParam(shown, options[key], [...path, key])
    return value === null ? null : addValue(shown, Math.max(value, min))
  }
  const rest = {
    sort: parseSort(atPath(shown, path), subject, options.sort),
    select: selectBelow(shown, subject, requested, options, path),
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
  requested: PopulateOptions,
  path: readonly string[],
): Populate {
  const { step, many, subject } = found
  const options = optionsOf(context, requested, ['fields', 'filters', 'sort', 'populate', 'count'], path)
  const where = whereOf(context, subject, options, path)
  const isCounted = isCountRequested(context, options, path)
  const shown = isCounted ? checkOnly(context) : context
  const rest = {
    sort: parseSort(atPath(shown, path), subject, options.sort),
    select: selectBelow(shown, subject, requested, options, path),
  }
  return isCounted
    ? { kind: 'count', name, step, where }
    : { kind: 'component', name, step, many, where, ...rest }
}

/**
 * A zone: with `populate=*` for all its components, with dotted names that some of its components have, or with `on`,
 * which shows only the components that it lists.
 */
function zone(
  context: ParseContext,
  owner: Subject,
  found: Extract<Found, { kind: 'zone' }>,
  name: string,
  requested: PopulateOptions,
  path: readonly string[],
): Populate {
  const options = optionsOf(context, requested, ['populate', 'on', 'count'], path)
  const { step, components } = found
  const isCounted = isCountRequested(context, options, path)
  const shown = isCounted ? checkOnly(context) : context
  const entries = components.map((uid) => ({
    kind: 'entry' as const,
    type: owner.type,
    component: componentOf(context.model, uid),
  }))
  const of = selectPerComponent(context, shown, entries, requested, options, path, SELECTORS)
  if (!isCounted) return { kind: 'zone', name, step, of }
  const counted = of.map(({ component, where }) => ({ component, where }))
  return { kind: 'count', name, step, where: null, of: counted }
}

/** A polymorphic relation, to documents of any type that the caller may see. */
function morph(
  context: ParseContext,
  owner: Subject,
  found: Extract<Found, { kind: 'morph' }>,
  name: string,
  requested: PopulateOptions,
  path: readonly string[],
): Populate {
  const relation = {
    type: owner.type.uid,
    component: owner.kind === 'entry' ? owner.component.uid : null,
    attribute: name,
  }
  const visibleTypes = [...context.model.types.values()].filter(
    (type) => type.generated && canFind(context, type),
  )
  const options = optionsOf(context, requested, ['on', 'populate', 'count'], path)
  const isCounted = isCountRequested(context, options, path)
  const shown = isCounted ? checkOnly(context) : context
  const of = selectPerType(context, shown, visibleTypes, requested, options, path, SELECTORS)
  if (!isCounted) return { kind: 'morph', name, many: found.attribute.many, relation, of }
  return { kind: 'morphCount', name, relation, of: of.map(({ type, where }) => ({ type, where })) }
}

/** The documents that use a file or refer to a document, in types and attributes that the caller may see. */
function usages(
  context: ParseContext,
  { of: target, ofAnyStatus }: Extract<Found, { kind: 'usages' }>,
  name: string,
  requested: PopulateOptions,
  path: readonly string[],
): Populate {
  const referrers = target ? visibleReferrers(context, target) : []
  const throughOf = (type: ContentType) =>
    target ? referrers.filter((key) => key.type === type.uid) : visibleMedia(context, type)
  const owners = new Map(
    [...context.model.types.values()]
      .filter((type) => canFind(context, type))
      .map((type) => [type, throughOf(type)] as const)
      .filter(([, through]) => through.length > 0),
  )
  const through = new Map([...owners].map(([{ uid }, relations]) => [uid, relations]))
  const options = optionsOf(context, requested, ['on', 'populate'], path)
  const types = [...owners.keys()]
  const of = selectPerType(context, context, types, requested, options, path, SELECTORS).flatMap(
    ({ type, select, where }) => {
      const relations = through.get(type)
      return relations ? [{ type, select, where, through: relations }] : []
    },
  )
  return { kind: 'usages', name, of, ...(ofAnyStatus && { ofAnyStatus }) }
}
