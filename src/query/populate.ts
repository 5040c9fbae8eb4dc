/** The `populate` parameter becomes a selection: which relations, media, components and zones an answer shows. */
import { componentOf, typeOf } from '../model/model.ts'
import type { Populate, Selection, Slot } from '../plan/tree.ts'
import { parseFields } from './fields.ts'
import { parseFilters } from './filters.ts'
import { attributesOf, documentOf, type Found, find, maySee, type Subject, usableNames } from './names.ts'
import { integerParam } from './pagination.ts'
import type { Param, ParamObject } from './params.ts'
import { forParam, grow, mistaken, type Reading, refuse, slot, UNFIT } from './reading.ts'
import { parseSort } from './sort.ts'
import { type Asked, asked, fragments, NOTHING, optionsOf, type Wish } from './wishes.ts'
import { booleanWord } from './words.ts'

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
    return populatable(reading, subject).flatMap((name) =>
      one(reading, subject, name, true, [...path, name], 'star'),
    )
  }
  return [...wanted].flatMap(([name, wish]) => one(reading, subject, name, wish, [...path, name], 'named'))
}

/** What `*` stands for: every relation, media, component and zone that is not private. */
function populatable(reading: Reading, subject: Subject): string[] {
  const own = [...attributesOf(subject).keys()].filter((name) => {
    const found = find(reading, subject, name)
    return found !== null && found.kind !== 'field'
  })
  return subject.kind === 'document' && subject.type.localized ? [...own, 'localizations'] : own
}

function one(
  reading: Reading,
  subject: Subject,
  name: string,
  wish: Wish,
  path: readonly string[],
  by: 'star' | 'named',
): Populate[] {
  grow(reading)
  const found = find(reading, subject, name)
  switch (found?.kind) {
    case 'related':
      return [related(reading, found, name, wish, path)]
    case 'component':
      return [component(reading, found, name, wish, path)]
    case 'zone':
      return [zone(reading, subject, found, name, wish, path)]
    case 'morph':
      return [morph(reading, subject, found, name, wish, path)]
    case 'forbidden':
      reading.omitted.push(path.join('.'))
      return []
    case 'field':
    case undefined:
      return by === 'star' ? [] : refuse(reading, name, path, usableNames(reading, subject, POPULATABLE))
  }
}

const POPULATABLE = ['related', 'component', 'zone', 'morph'] as const

/** What a wish selects below itself. */
function below(
  reading: Reading,
  subject: Subject,
  wish: Wish,
  options: ParamObject,
  path: readonly string[],
): Selection {
  const wanted =
    wish === true ? NOTHING : 'names' in wish ? wish.names : asked(reading, options.populate, false)
  return {
    fields: parseFields(reading, subject, options.fields, path),
    populate: select(reading, subject, wanted, path),
  }
}

const counted = (reading: Reading, options: ParamObject, path: readonly string[]): boolean =>
  options.count === undefined
    ? false
    : (booleanWord(options.count) ?? mistaken(reading, [...path, 'count'], 'expected true or false'))

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
  if (counted(reading, options, path)) return { kind: 'count', name, step, where }
  const number = (key: string, least: number): Slot | null => {
    const value = integerParam(reading, options[key], [...path, key])
    return value === null ? null : slot(reading, Math.max(value, least))
  }
  return {
    kind: 'related',
    name,
    step,
    many,
    where,
    sort: parseSort(reading, subject, options.sort),
    select: below(reading, subject, wish, options, path),
    start: number('start', 0),
    limit: number('limit', 1),
  }
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
  if (counted(reading, options, path)) return { kind: 'count', name, step, where }
  return {
    kind: 'component',
    name,
    step,
    many,
    where,
    sort: parseSort(reading, subject, options.sort),
    select: below(reading, subject, wish, options, path),
  }
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
  if (counted(reading, options, path)) return { kind: 'count', name, step: found.step, where: null }
  const subjectOf = (uid: string): Subject => ({
    kind: 'entry',
    type: owner.type,
    component: componentOf(reading.model, uid),
  })
  const { on, populate } = options
  if (on !== undefined) {
    const of = fragments(reading, on, [...path, 'on']).map(([uid, fragment]) => {
      if (!found.components.includes(uid)) return refuse(reading, uid, [...path, 'on'], found.components)
      const inner = optionsOf(reading, fragment, ['fields', 'populate'], [...path, uid])
      return { component: uid, select: below(reading, subjectOf(uid), fragment, inner, path) }
    })
    return { kind: 'zone', name, step: found.step, of }
  }
  if (populate !== undefined && populate !== '*' && booleanWord(populate) !== true)
    return refuse(reading, 'populate', path)
  const shared = wish !== true && 'names' in wish ? wish.names : null
  if (shared) requireSomewhere(reading, found.components.map(subjectOf), shared, path)
  const of = found.components.map((uid) => {
    const subject = subjectOf(uid)
    const wanted: Asked = shared ? having(reading, subject, shared) : populate === undefined ? NOTHING : '*'
    return { component: uid, select: { fields: null, populate: select(reading, subject, wanted, path) } }
  })
  return { kind: 'zone', name, step: found.step, of }
}

/** The names of a shared population that a component has; it simply lacks the others. */
const having = (reading: Reading, subject: Subject, wanted: ReadonlyMap<string, Wish>) =>
  new Map([...wanted].filter(([name]) => populatable(reading, subject).includes(name)))

function requireSomewhere(
  reading: Reading,
  subjects: readonly Subject[],
  wanted: ReadonlyMap<string, Wish>,
  path: readonly string[],
) {
  for (const name of wanted.keys()) {
    if (!subjects.some((subject) => populatable(reading, subject).includes(name)))
      refuse(reading, name, [...path, name])
  }
}

/** A polymorphic relation: `on` names the types to show; without it all that the caller may see. */
function morph(
  reading: Reading,
  owner: Subject,
  found: Extract<Found, { kind: 'morph' }>,
  name: string,
  wish: Wish,
  path: readonly string[],
): Populate {
  const options = optionsOf(reading, wish, ['on', 'populate'], path)
  const relation = {
    type: owner.type.uid,
    component: owner.kind === 'entry' ? owner.component.uid : null,
    attribute: name,
  }
  const { many } = found.attribute
  const { on } = options
  const wanted: (readonly [string, Wish])[] =
    on === undefined
      ? [...reading.model.types.values()]
          .filter((type) => type.generated && maySee(reading, type))
          .map((type) => [type.uid, true])
      : fragments(reading, on, [...path, 'on'])
  const of = wanted.flatMap(([uid, fragment]) => {
    const type = reading.model.types.get(uid)
    if (!type) return refuse(reading, uid, [...path, 'on'])
    const rule = maySee(reading, type) ? reading.visible(type) : UNFIT
    if (rule === UNFIT) {
      reading.omitted.push(`${path.join('.')}.${uid}`)
      return []
    }
    const subject = documentOf(typeOf(reading.model, uid))
    const inner = optionsOf(reading, fragment, ['fields', 'populate', 'filters'], [...path, uid])
    const shared = on === undefined && options.populate !== undefined ? '*' : null
    const selection = shared
      ? {
          fields: parseFields(reading, subject, undefined, path),
          populate: select(reading, subject, shared, path),
        }
      : below(reading, subject, fragment, inner, path)
    const where = whereOf(reading, subject, inner, path)
    return [
      {
        type: uid,
        select: selection,
        where: rule && where ? ({ kind: 'and', all: [rule, where] } as const) : (rule ?? where),
      },
    ]
  })
  return { kind: 'morph', name, many, relation, of }
}
