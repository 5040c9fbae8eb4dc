/** Generates random read queries for a random model. */
import fc from 'fast-check'
import type { ScalarTypeName } from '../../src/model/model.ts'
import type { Json } from '../reference/recording.ts'
import {
  LOCALES,
  type RandomAttribute,
  type RandomModel,
  type RandomShape,
  type RandomType,
} from './random-model.ts'
import {
  type Filter,
  type Operator,
  type Pagination,
  type Populate,
  PUBLICATIONS,
  type ReadQuery,
  type Select,
  type SortKey,
} from './read-query.ts'
import { valueOfType } from './values.ts'

const ORDERING: readonly Operator[] = ['$lt', '$lte', '$gt', '$gte', '$between']
const EQUALITY: readonly Operator[] = ['$eq', '$ne', '$in', '$notIn']
const FOLDED: readonly Operator[] = ['$eqi', '$nei']
const PARTS: readonly Operator[] = [
  ...(['$contains', '$notContains', '$containsi', '$notContainsi'] as const),
  ...(['$startsWith', '$startsWithi', '$endsWith', '$endsWithi'] as const),
]

const TEXT_PARTS = [
  '',
  'a',
  'A',
  'é',
  'É',
  'LAIR',
  '%',
  '_',
  '\\',
  '"',
  "'",
  '5',
  '🍕',
  '寿',
  'ω',
  'z',
  ',',
  ' ',
]
const OTHER_PARTS = ['1', '0', '.', '-', '9', '20', ':', '00', '"', 'a']

interface Family {
  readonly operators: readonly Operator[]
  readonly parts: readonly string[]
}

function familyOf(type: ScalarTypeName): Family {
  switch (type) {
    case 'json':
    case 'blocks':
      return { operators: PARTS, parts: OTHER_PARTS }
    case 'boolean':
      return { operators: [...EQUALITY, ...FOLDED], parts: [] }
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'decimal':
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
      return { operators: [...EQUALITY, ...ORDERING, ...FOLDED, ...PARTS], parts: OTHER_PARTS }
    default:
      return { operators: [...EQUALITY, ...ORDERING, ...FOLDED, ...PARTS], parts: TEXT_PARTS }
  }
}

type Scalar = Extract<RandomAttribute, { kind: 'scalar' }>

/** The scalars of a shape that queries may name. */
const openScalars = ({ attributes }: RandomShape) =>
  Object.entries(attributes).flatMap(([name, attribute]): [string, Scalar][] =>
    attribute.kind === 'scalar' && !attribute.private && attribute.type !== 'password'
      ? [[name, attribute]]
      : [],
  )

export class QueryGenerator {
  readonly #model: RandomModel
  readonly #keys: readonly string[]

  /** `keys` are the keys of the documents. */
  constructor(model: RandomModel, keys: readonly string[]) {
    this.#model = model
    this.#keys = keys
  }

  query(): fc.Arbitrary<ReadQuery> {
    return fc
      .constantFrom(...this.#model.types)
      .chain((type) =>
        fc.record({
          type: fc.constant(type.name),
          documentKey: type.single
            ? fc.constant(null)
            : fc.oneof(
                { weight: 4, arbitrary: fc.constant(null) },
                { weight: 1, arbitrary: this.#keyOf(type) },
              ),
          status: fc.constantFrom(null, 'draft' as const, 'published' as const),
          locale: fc.constantFrom(null, null, ...LOCALES, '*'),
          filters: fc.option(
            fc.oneof(
              { weight: 2, arbitrary: this.#filter(type, 3) },
              { weight: 1, arbitrary: this.#chain(type, 4) },
            ),
            { freq: 2 },
          ),
          search: fc.option(fc.constantFrom('a', 'É', '10', '50%', '_', '9.5', 'ana@', 'one', "it's"), {
            freq: 1,
          }),
          publication: fc.option(fc.constantFrom(...PUBLICATIONS), { freq: 1 }),
          sort: this.#sort(type),
          score: fc.option(fc.boolean()),
          pagination: fc.option(pagination),
          select: this.#select(type, 3),
          style: fc.nat(7),
        }),
      )
      .map(
        ({ score, ...query }): ReadQuery =>
          score === null || query.search === null || query.documentKey !== null
            ? query
            : { ...query, sort: [{ path: ['_score'], descending: score }, ...query.sort] },
      )
      .map((query) =>
        this.#readsOneDocument(query) && query.locale === '*' ? { ...query, locale: null } : query,
      )
  }

  #readsOneDocument({ type, documentKey }: ReadQuery) {
    return documentKey !== null || this.#model.types.some(({ name, single }) => name === type && single)
  }

  #keyOf({ name }: RandomType) {
    const keys = this.#keys.filter((key) => key.replace(/\d+$/, '') === name)
    return keys.length > 0 ? fc.constantFrom(...keys) : fc.constant(`${name}0`)
  }

  #shape(attribute: RandomAttribute): RandomShape | undefined {
    if (attribute.kind === 'relation') return this.#model.types.find(({ name }) => name === attribute.target)
    if (attribute.kind === 'component')
      return this.#model.components.find(({ name }) => name === attribute.component)
    return undefined
  }

  /** The relations and components of a shape, with the shape that each leads to. */
  #paths({ attributes }: RandomShape): [string, RandomShape][] {
    return Object.entries(attributes).flatMap(([name, attribute]): [string, RandomShape][] => {
      const shape = this.#shape(attribute)
      return shape ? [[name, shape]] : []
    })
  }

  #filter(shape: RandomShape, depth: number): fc.Arbitrary<Filter> {
    const leaves = [...openScalars(shape).map(([name, { type }]) => fieldFilter(name, type))]
    if (isType(shape)) leaves.push(this.#documentIdFilter(shape))
    const paths = this.#paths(shape)
    const empty = paths.map(([name]) => fc.boolean().map((is): Filter => ({ kind: 'empty', name, is })))
    if (depth === 0) return fc.oneof(...leaves, ...empty)
    const through = paths.map(([name, inner]) =>
      this.#filter(inner, depth - 1).map((of): Filter => ({ kind: 'through', name, of })),
    )
    const nested = fc.array(this.#filter(shape, depth - 1), { minLength: 1, maxLength: 3 })
    return fc.oneof(
      { weight: 4, arbitrary: fc.oneof(...leaves) },
      ...(empty.length > 0 ? [{ weight: 1, arbitrary: fc.oneof(...empty) }] : []),
      ...(through.length > 0 ? [{ weight: 4, arbitrary: fc.oneof(...through) }] : []),
      { weight: 1, arbitrary: nested.map((of): Filter => ({ kind: 'and', of })) },
      { weight: 1, arbitrary: nested.map((of): Filter => ({ kind: 'or', of })) },
      { weight: 1, arbitrary: this.#filter(shape, depth - 1).map((of): Filter => ({ kind: 'not', of })) },
    )
  }

  /** A filter that follows several relations or components, each of which may be negated. */
  #chain(shape: RandomShape, steps: number): fc.Arbitrary<Filter> {
    const paths = this.#paths(shape)
    if (steps === 0 || paths.length === 0) return this.#filter(shape, 0)
    return fc.constantFrom(...paths).chain(([name, inner]) =>
      fc.tuple(this.#chain(inner, steps - 1), fc.nat(4)).map(([of, choice]): Filter => {
        const through: Filter = { kind: 'through', name, of }
        return choice === 0 ? { kind: 'not', of: through } : through
      }),
    )
  }

  #documentIdFilter(type: RandomType): fc.Arbitrary<Filter> {
    return fc
      .tuple(fc.constantFrom(...EQUALITY), fc.array(this.#keyOf(type), { minLength: 1, maxLength: 2 }))
      .map(([operator, values]) => ({ kind: 'field', name: 'documentId', operator, values }))
  }

  #sort(shape: RandomShape): fc.Arbitrary<readonly SortKey[]> {
    const paths = (from: RandomShape, depth: number): string[][] => [
      ...openScalars(from)
        .filter(([, { type }]) => type !== 'json' && type !== 'blocks')
        .map(([name]) => [name]),
      ...(depth === 0
        ? []
        : this.#paths(from).flatMap(([name, inner]) =>
            paths(inner, depth - 1).map((path) => [name, ...path]),
          )),
    ]
    const all = paths(shape, 2)
    if (all.length === 0) return fc.constant([])
    return fc.array(fc.record({ path: fc.constantFrom(...all), descending: fc.boolean() }), { maxLength: 2 })
  }

  #select(shape: RandomShape, depth: number): fc.Arbitrary<Select> {
    const own = isType(shape)
      ? ['createdAt', 'updatedAt', 'publishedAt', ...(shape.localized ? ['locale'] : [])]
      : []
    const names = [...openScalars(shape).map(([name]) => name), ...own]
    return fc.record({
      fields: names.length > 0 ? fc.option(fc.subarray(names, { minLength: 1 })) : fc.constant(null),
      populate: depth === 0 ? fc.constant([]) : this.#populates(shape, depth),
    })
  }

  #populates(shape: RandomShape, depth: number): fc.Arbitrary<readonly Populate[] | '*'> {
    const parts = Object.entries(shape.attributes).flatMap(([name, attribute]) =>
      this.#populate(name, attribute, depth),
    )
    if (isType(shape) && shape.localized) parts.push(this.#nodes('localizations', shape, depth, true))
    if (parts.length === 0) return fc.constant([])
    const chosen = fc
      .subarray(parts, { maxLength: Math.min(3, parts.length) })
      .chain((list): fc.Arbitrary<readonly Populate[]> => fc.tuple(...list))
    return fc.oneof({ weight: 1, arbitrary: fc.constant('*' as const) }, { weight: 5, arbitrary: chosen })
  }

  #populate(name: string, attribute: RandomAttribute, depth: number): fc.Arbitrary<Populate>[] {
    if (attribute.kind === 'scalar') return []
    if (attribute.kind === 'zone') {
      const shapes = this.#model.components.filter((component) =>
        attribute.components.includes(component.name),
      )
      return [
        fc.oneof(
          fc.boolean().map((star): Populate => ({ kind: 'zone', name, star })),
          this.#on(name, shapes, depth),
        ),
      ]
    }
    const shape = this.#shape(attribute)
    if (shape) {
      const many = attribute.kind === 'relation' && attribute.many
      const nodes = this.#nodes(name, shape, depth, many)
      if (attribute.kind !== 'relation') return [nodes]
      return [
        fc.oneof(
          { weight: 6, arbitrary: nodes },
          { weight: 1, arbitrary: fc.constant<Populate>({ kind: 'count', name }) },
        ),
      ]
    }
    const plain = { fields: null, populate: [] }
    return [
      fc.oneof(
        fc.constant<Populate>({
          kind: 'nested',
          name,
          select: plain,
          filters: null,
          sort: [],
          start: null,
          limit: null,
        }),
        this.#on(
          name,
          this.#model.types.filter(({ single }) => !single),
          depth,
        ),
      ),
    ]
  }

  #on(name: string, shapes: readonly RandomShape[], depth: number): fc.Arbitrary<Populate> {
    return fc
      .subarray([...shapes], { minLength: 1 })
      .chain((list) =>
        fc.tuple(
          ...list.map((shape) => this.#select(shape, depth - 1).map((select) => [shape.name, select])),
        ),
      )
      .map((pairs): Populate => ({ kind: 'on', name, on: Object.fromEntries(pairs) }))
  }

  #nodes(name: string, shape: RandomShape, depth: number, pages: boolean): fc.Arbitrary<Populate> {
    const none = fc.constant<number | null>(null)
    const nodes = fc.record({
      kind: fc.constant('nested' as const),
      name: fc.constant(name),
      select: this.#select(shape, depth - 1),
      filters: fc.option(this.#filter(shape, 1), { freq: 1 }),
      sort: fc.option(this.#sort(shape), { freq: 1, nil: NO_SORT }),
      start: pages ? fc.option(fc.nat(2), { freq: 1 }) : none,
      limit: pages ? fc.option(fc.integer({ min: 1, max: 3 }), { freq: 1 }) : none,
    })
    return nodes
  }
}

const NO_SORT: readonly SortKey[] = []

const isType = (shape: RandomShape): shape is RandomType => 'drafts' in shape

function fieldFilter(name: string, type: ScalarTypeName): fc.Arbitrary<Filter> {
  const { operators, parts } = familyOf(type)
  const values = (operator: Operator): fc.Arbitrary<readonly Json[]> => {
    if (operator === '$between') return fc.tuple(valueOfType(type), valueOfType(type))
    if (ORDERING.includes(operator)) return fc.tuple(valueOfType(type))
    const one = PARTS.includes(operator) ? fc.constantFrom(...parts) : valueOfType(type)
    return fc.array(one, { minLength: 1, maxLength: 2 })
  }
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .constantFrom(...operators)
        .chain((operator) =>
          values(operator).map((list): Filter => ({ kind: 'field', name, operator, values: list })),
        ),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('$null' as const, '$notNull' as const), fc.boolean())
        .map(([operator, is]): Filter => ({ kind: 'field', name, operator, values: [is] })),
    },
  )
}

const pagination: fc.Arbitrary<Pagination> = fc.oneof(
  fc.record({
    kind: fc.constant('page' as const),
    page: fc.integer({ min: 1, max: 3 }),
    pageSize: fc.integer({ min: 1, max: 4 }),
    withCount: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('offset' as const),
    start: fc.nat(4),
    limit: fc.integer({ min: 1, max: 4 }),
    withCount: fc.boolean(),
  }),
)
