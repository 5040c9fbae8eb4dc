/** Filters derived from the model: every operator on every attribute, through relations and components, combined and negated. */
import fc from 'fast-check'
import type { Model, Shape } from '../../src/model/model.ts'
import {
  BOOLEANS,
  hostileNames,
  named,
  oddTrees,
  remembering,
  shapesBehind,
  TIMES,
  type Tree,
} from './trees.ts'
import { valueText, words } from './values.ts'

const COMPARISONS = [
  ...[
    '$eq',
    '$eqi',
    '$ne',
    '$nei',
    '$lt',
    '$lte',
    '$gt',
    '$gte',
    '$in',
    '$notIn',
    '$contains',
    '$notContains',
  ],
  ...['$containsi', '$notContainsi', '$between', '$startsWith', '$startsWithi', '$endsWith', '$endsWithi'],
]
const WRONG_OPERATORS = ['$null', '$notNull', '$not', '$and', '$regex', '$', 'eq', '$EQ', '$eq ', '__proto__']

const operators = fc.oneof(
  { weight: 25, arbitrary: fc.constantFrom(...COMPARISONS) },
  { weight: 1, arbitrary: fc.constantFrom(...WRONG_OPERATORS) },
)

const under = ([operator, value]: readonly [string, Tree]): Tree => ({ [operator]: value })

function tests(values: fc.Arbitrary<string>): fc.Arbitrary<Tree> {
  const list = fc.array(values, { maxLength: 3 })
  const lists = fc.constantFrom('$in', '$notIn', '$between', '$eq', '$ne', '$containsi', '$lt')
  const one = fc.tuple(operators, values).map(under)
  return fc.oneof(
    { weight: 12, arbitrary: one },
    { weight: 4, arbitrary: values },
    { weight: 4, arbitrary: fc.tuple(lists, list).map(under) },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom('$null', '$notNull'), fc.constantFrom(...BOOLEANS)).map(under),
    },
    { weight: 2, arbitrary: one.map((test) => ({ $not: test })) },
    { weight: 2, arbitrary: fc.tuple(one, one).map(([a, b]) => Object.assign({}, Object(a), Object(b))) },
    { weight: 1, arbitrary: oddTrees },
  )
}

/** Ids differ between servers, so only operators that treat corresponding ids alike are used. */
function identities(shape: Shape, isType: boolean): fc.Arbitrary<Tree> {
  const ids = fc.nat(60).map((index) => `{{${isType ? `id ${shape.uid}` : 'entry'} ${index}}}`)
  const texts = fc.nat(60).map((index) => `{{doc ${shape.uid} ${index}}}`)
  const equality = fc.constantFrom('$eq', '$ne', '$in', '$notIn')
  const order = fc.constantFrom('$lt', '$lte', '$gt', '$gte')
  return fc.oneof(
    named('id', fc.tuple(fc.oneof(equality, order), ids).map(under)),
    named('documentId', fc.tuple(equality, texts).map(under)),
    named('id', named('$in', fc.tuple(ids, ids))),
  )
}

/** The `filters` parameter for each shape of a model, `depth` levels deep. */
export function filterGrammar(model: Model): (shape: Shape, depth: number) => fc.Arbitrary<Tree> {
  const once = remembering()

  const through = (name: string, inside: fc.Arbitrary<Tree>) =>
    named(
      name,
      fc.oneof(
        { weight: 12, arbitrary: inside },
        {
          weight: 1,
          arbitrary: fc.constantFrom<Tree>({ $null: 'true' }, { $notNull: 'true' }, '{{doc x 1}}'),
        },
        { weight: 1, arbitrary: oddTrees },
      ),
    )

  function plain(shape: Shape, depth: number): fc.Arbitrary<Tree> {
    const ones = [...shape.attributes.values()].map((attribute): fc.Arbitrary<Tree> => {
      if (attribute.kind === 'scalar') return named(attribute.name, tests(valueText(attribute)))
      const [behind] = shapesBehind(model, attribute)
      return through(attribute.name, behind && depth > 0 ? filters(behind, depth - 1) : oddTrees)
    })
    const dates = tests(fc.constantFrom('2001-01-01', '2999-01-01T00:00:00Z', 'en', 'x'))
    return fc.oneof(
      { weight: 20, arbitrary: ones.length > 0 ? fc.oneof(...ones) : oddTrees },
      { weight: 3, arbitrary: identities(shape, model.types.has(shape.uid)) },
      { weight: 1, arbitrary: fc.tuple(hostileNames, tests(words)).map(under) },
      { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...TIMES, 'locale'), dates).map(under) },
    )
  }

  const filters = (shape: Shape, depth: number): fc.Arbitrary<Tree> =>
    once(`${shape.uid} ${depth}`, () => {
      const own = plain(shape, depth)
      if (depth === 0) return own
      const below = filters(shape, depth - 1)
      const list = fc.array(below, { minLength: 1, maxLength: 3 })
      return fc.oneof(
        { weight: 6, arbitrary: own },
        { weight: 2, arbitrary: fc.tuple(fc.constantFrom('$and', '$or'), list).map(under) },
        { weight: 1, arbitrary: named('$not', below) },
        {
          weight: 1,
          arbitrary: fc.tuple(own, below).map(([a, b]) => Object.assign({}, Object(a), Object(b))),
        },
      )
    })
  return filters
}
