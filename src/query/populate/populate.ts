/** The `populate` parameter becomes a selection: which relations, media, components and zones an answer shows. */
import { type ContentType, componentOf } from '../../model/model.ts'
import type { Populate, Selection, Slot } from '../../plan/tree.ts'
import { booleanWord } from '../boolean-word.ts'
import { parseFields } from '../fields.ts'
import { parseFilters } from '../filters/filters.ts'
import {
  addedNames,
  attributesOf,
  documentOf,
  type Found,
  find,
  maySee,
  type Subject,
  usableNames,
} from '../names.ts'
import { integerParam } from '../pagination.ts'
import type { Param, ParamObject } from '../params.ts'
import { and, forParam, grow, mistaken, type Reading, refuse, slot, UNFIT, within } from '../parse-context.ts'
import { parseSort } from '../sort.ts'
import { mediaSeen } from '../visible-media.ts'
import { type Asked, asked, fragments, NOTHING, optionsOf, type Wish } from './populate-options.ts'
import { isPopulatable, sharedBy } from './shared-population.ts'

/** The selection of a subject: its fields, and what is populated in it. */
export function parseSelection(
  reading: Reading,
  subject: Subject,
  { fields, populate }: { readonly fields?: Param | undefined; readonly populate?: Param | undefined },
): Selection {
  const populating = forParam(reading, 'populate')
  return {
    fields: parseFields(forParam(reading, 'fields'), subject, fields),
    populate: select(populating, subject, asked(populating, populate, true), []),
  }
}

function select(reading: Reading, subject: Subject, wanted: Asked, path: readonly string[]): Populate[] {
  if (wanted === '*') {
    return populatable(reading, subject).flatMap((name) => one(reading, subject, name, true, [...path, name]))
  }
  return [...wanted].flatMap(([name, wish]) => one(reading, subject, name, wish, [...path, name]))
}

/** What `*` stands for: every relation, media, component and zone that is not private. */
function populatable(reading: Reading, subject: Subject): string[] {
  const own = [...attributesOf(subject).keys()].filter((name) => isPopulatable(reading, subject, name))
  return [...own, ...addedNames(subject)]
}

function one(
  reading: Reading,
  subject: Subject,
  name: string,
  wish: Wish | false,
  path: readonly string[],
): Populate[] {
  grow(reading)
  const found = find(reading, subject, name)
  if (found === null || found.kind === 'field')
    return refuse(reading, name, path, usableNames(reading, subject, POPULATABLE))
  if (wish === false) return []
  switch (found.kind) {
    case 'related':
      return [related(reading, found, name, wish, path)]
    case 'component':
      return [component(reading, found, name, wish, path)]
    case 'zone':
      return [zone(reading, subject, found, name, wish, path)]
    case 'morph':
      return [morph(reading, subject, found, name, wish, path)]
    case 'showing':
      return [showing(reading, name, wish, path)]
    case 'forbidden':
      reading.omitted.push(path.join('.'))
      return []
  }
}

const POPULATABLE = ['related', 'component', 'zone', 'morph', 'showing'] as const

/** What a wish selects below itself. */
function below(
  reading: Reading,
  subject: Subject,
  wish: Wish,
  options: ParamObject,
  path: readonly string[],
): Selection {
  const wanted =
    wish === true
      ? NOTHING
      : 'names' in wish
        ? wish.names
        : asked(within(reading, path), options.populate, false)
  return {
    fields: parseFields(reading, subject, options.fields, path),
    populate: select(reading, subject, wanted, path),
  }
}

const counted = (reading: Reading, options: ParamObject, path: readonly string[]): boolean =>
  options.count === undefined
    ? false
    : (booleanWord(options.count) ?? mistaken(reading, [...path, 'count'], 'expected true or false'))

/** Reads what is checked but has no part in the answer, such as the fields of what is only counted. */
const aside = (reading: Reading): Reading => ({ ...reading, values: [], omitted: [] })

const whereOf = (reading: Reading, subject: Subject, options: ParamObject, path: readonly string[]) =>
  options.filters === undefined ? null : parseFilters(reading, subject, options.filters, path)

function related(
  reading: Reading,
  found: Extract<Found, { kind: 'related' }>,
  name: string,
  wish: Wish,
  path: readonly string[],
): Populate {
  const { step, many, subject } = found
  const options = optionsOf(
    reading,
    wish,
    ['fields', 'filters', 'sort', 'populate', 'count', ...(many ? ['start', 'limit'] : [])],
    path,
  )
  const where = whereOf(reading, subject, options, path)
  const isCounted = counted(reading, options, path)
  const shown = isCounted ? aside(reading) : reading
  const number = (key: string, least: number): Slot | null => {
    const value = integerParam(shown, options[key], [...path, key])
    return value === null ? null : slot(shown, Math.max(value, least))
  }
  const rest = {
    sort: parseSort(within(shown, path), subject, options.sort),
    select: below(shown, subject, wish, options, path),
    start: number('start', 0),
    limit: number('limit', 1),
  }
  return isCounted
    ? { kind: 'count', name, step, where }
    : { kind: 'related', name, step, many, where, ...rest }
}

function component(
  reading: Reading,
  found: Extract<Found, { kind: 'component' }>,
  name: string,
  wish: Wish,
  path: readonly string[],
): Populate {
  const { step, many, subject } = found
  const options = optionsOf(reading, wish, ['fields', 'filters', 'sort', 'populate', 'count'], path)
  const where = whereOf(reading, subject, options, path)
  const isCounted = counted(reading, options, path)
  const shown = isCounted ? aside(reading) : reading
  const rest = {
    sort: parseSort(within(shown, path), subject, options.sort),
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
  reading: Reading,
  owner: Subject,
  found: Extract<Found, { kind: 'zone' }>,
  name: string,
  wish: Wish,
  path: readonly string[],
): Populate {
  const options = optionsOf(reading, wish, ['populate', 'on', 'count'], path)
  const { step, components } = found
  const isCounted = counted(reading, options, path)
  const of = entriesOf(isCounted ? aside(reading) : reading, owner, components, wish, options, path)
  if (!isCounted) return { kind: 'zone', name, step, of }
  return { kind: 'count', name, step, where: null, components: of.map(({ component }) => component) }
}

/** What each component of a zone shows. */
function entriesOf(
  reading: Reading,
  { type }: Subject,
  components: readonly string[],
  wish: Wish,
  { on, populate }: ParamObject,
  path: readonly string[],
): Extract<Populate, { kind: 'zone' }>['of'] {
  const entry = (uid: string): Subject => ({
    kind: 'entry',
    type,
    component: componentOf(reading.model, uid),
  })
  const wanted = sharedBy(reading, wish, populate, components.map(entry), path)
  if (on === undefined) {
    return components.map((uid) => {
      const subject = entry(uid)
      return {
        component: uid,
        select: { fields: null, populate: select(reading, subject, wanted(subject), path) },
      }
    })
  }
  return fragments(reading, on, [...path, 'on']).flatMap(([uid, fragment]) => {
    if (!components.includes(uid)) return refuse(reading, uid, [...path, 'on'], components)
    if (fragment === false) return []
    const inner = optionsOf(reading, fragment, ['fields', 'populate'], [...path, uid])
    return [{ component: uid, select: below(reading, entry(uid), fragment, inner, path) }]
  })
}

/** A polymorphic relation, to documents of any type that the caller may see. */
function morph(
  reading: Reading,
  owner: Subject,
  found: Extract<Found, { kind: 'morph' }>,
  name: string,
  wish: Wish,
  path: readonly string[],
): Populate {
  const relation = {
    type: owner.type.uid,
    component: owner.kind === 'entry' ? owner.component.uid : null,
    attribute: name,
  }
  const seen = [...reading.model.types.values()].filter((type) => type.generated && maySee(reading, type))
  const of = documentsOf(reading, seen, wish, path)
  return { kind: 'morph', name, many: found.attribute.many, relation, of }
}

/** The documents that show a file, of any type that the caller may see, in attributes that the caller may see. */
function showing(reading: Reading, name: string, wish: Wish, path: readonly string[]): Populate {
  const media = new Map(
    [...reading.model.types.values()]
      .filter((type) => maySee(reading, type))
      .map((type) => [type, mediaSeen(reading, type)] as const)
      .filter(([, through]) => through.length > 0),
  )
  const through = new Map([...media].map(([{ uid }, relations]) => [uid, relations]))
  const of = documentsOf(reading, [...media.keys()], wish, path).flatMap((one) => {
    const relations = through.get(one.type)
    return relations ? [{ ...one, through: relations }] : []
  })
  return { kind: 'showing', name, of }
}

/** Documents of several types: `on` names those to show; without it all that are `seen`, alike as in a zone. */
function documentsOf(
  reading: Reading,
  seen: readonly ContentType[],
  wish: Wish,
  path: readonly string[],
): Extract<Populate, { kind: 'morph' }>['of'] {
  const { on, populate } = optionsOf(reading, wish, ['on', 'populate'], path)
  const shared = sharedBy(
    reading,
    wish,
    populate,
    seen.map((type) => documentOf(type)),
    path,
  )
  if (on === undefined) {
    return seen.flatMap((type) => {
      const rule = reading.visible(type)
      if (rule === UNFIT) {
        reading.omitted.push(`${path.join('.')}.${type.uid}`)
        return []
      }
      const subject = documentOf(type)
      const fields = parseFields(reading, subject, undefined, path)
      const selection = { fields, populate: select(reading, subject, shared(subject), path) }
      return [{ type: type.uid, select: selection, where: rule }]
    })
  }
  return fragments(reading, on, [...path, 'on']).flatMap(([uid, fragment]) => {
    const type = reading.model.types.get(uid)
    if (!type) return refuse(reading, uid, [...path, 'on'])
    if (fragment === false) return []
    const rule = maySee(reading, type) ? reading.visible(type) : UNFIT
    if (rule === UNFIT) {
      reading.omitted.push(`${path.join('.')}.${uid}`)
      return []
    }
    const subject = documentOf(type)
    const inner = optionsOf(reading, fragment, ['fields', 'populate', 'filters'], [...path, uid])
    const selection = below(reading, subject, fragment, inner, path)
    const where = and(rule, whereOf(reading, subject, inner, path))
    return [{ type: uid, select: selection, where }]
  })
}
