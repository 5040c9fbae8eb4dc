/** The `populate` parameter becomes a selection: which relations, media, components and zones an answer shows. */
import { componentOf, typeOf } from '../model/model.ts'
import type { Populate, Selection, Slot } from '../plan/tree.ts'
import { parseFields } from './fields.ts'
import { parseFilters } from './filters.ts'
import { attributesOf, documentOf, type Found, find, maySee, type Subject } from './names.ts'
import { integerParam } from './pagination.ts'
import { isObject, listOf, type Param, type ParamObject } from './params.ts'
import { forParam, grow, mistaken, type Reading, refuse, slot } from './reading.ts'
import { parseSort } from './sort.ts'
import { booleanWord } from './words.ts'

/** What was asked of each name: `true`, or an object with fields, filters, sort, populate, on, count, start, limit. */
type Asked = '*' | ReadonlyMap<string, Wish>
type Wish = true | { readonly names: ReadonlyMap<string, Wish> } | { readonly options: ParamObject }

const NOTHING: ReadonlyMap<string, Wish> = new Map()

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

/** Reads every form of `populate` into one. A comma string is split at the top only. */
function asked(reading: Reading, input: Param | undefined, top: boolean): Asked {
  if (input === undefined) return NOTHING
  if (typeof input === 'string') {
    if (input === '*' || input === 'true') return '*'
    return names((top ? input.split(',') : [input]).map((name) => name.trim()))
  }
  if (input === true) return '*'
  const list = listOf(input)
  if (list) {
    return names(
      list.map((item) =>
        typeof item === 'string' ? item : mistaken(reading, [], 'expected a list of names'),
      ),
    )
  }
  if (!isObject(input)) return mistaken(reading, [], 'expected names, a list or an object')
  const wishes = new Map<string, Wish>()
  for (const [name, value] of Object.entries(input)) {
    if (isObject(value)) wishes.set(name, { options: value })
    else if (booleanWord(value) === true || value === '*') wishes.set(name, true)
    else if (typeof value !== 'string') return mistaken(reading, [name], 'expected true or an object')
    else if (booleanWord(value) !== false) return refuse(reading, value, [name])
  }
  return wishes
}

/** Dotted names make a tree: `menu`, `menu.items` and `menu.items.dish` are three levels of one branch. */
function names(list: readonly string[]): ReadonlyMap<string, Wish> {
  const rests = new Map<string, string[]>()
  for (const name of list) {
    const dot = name.indexOf('.')
    const first = dot < 0 ? name : name.slice(0, dot)
    const known = rests.get(first) ?? []
    rests.set(first, dot < 0 ? known : [...known, name.slice(dot + 1)])
  }
  return new Map(
    [...rests].map(([first, deeper]) => [first, deeper.length === 0 ? true : { names: names(deeper) }]),
  )
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
      return by === 'star' ? [] : refuse(reading, name, path)
  }
}

/** The options of a wish; a key that is not among `allowed` is refused. */
function optionsOf(
  reading: Reading,
  wish: Wish,
  allowed: readonly string[],
  path: readonly string[],
): ParamObject {
  if (wish === true || 'names' in wish) return {}
  for (const key of Object.keys(wish.options)) if (!allowed.includes(key)) return refuse(reading, key, path)
  return wish.options
}

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
      if (!found.components.includes(uid)) return refuse(reading, uid, [...path, 'on'])
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

/** `on[<name>]=true` or `on[<name>][…]`; an empty value asks for none. */
function fragments(reading: Reading, on: Param, path: readonly string[]): (readonly [string, Wish])[] {
  if (on === '') return []
  if (!isObject(on)) return mistaken(reading, path, 'expected an object by component name')
  return Object.entries(on).flatMap(([uid, value]): (readonly [string, Wish])[] => {
    if (isObject(value)) return [[uid, { options: value }]]
    const word = value === '*' ? true : booleanWord(value)
    if (word === null) return mistaken(reading, [...path, uid], 'expected true or an object')
    return word ? [[uid, true]] : []
  })
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
    if (!maySee(reading, type)) {
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
    const rule = reading.visible(type)
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
