/** Query strings derived from the model: every parameter in every valid syntax, in invalid ones, and mangled. */
import fc from 'fast-check'
import type { ContentType, Model } from '../../src/model/model.ts'
import type { Parameter } from '../request.ts'
import { filterGrammar } from './filters.ts'
import { huge, mangled } from './mangled.ts'
import { selectionGrammar } from './populate.ts'
import { BOOLEANS, flatten, named, oddTrees, type Tree } from './trees.ts'
import { words } from './values.ts'

/** The query grammar of one model. */
export interface QueryGrammar {
  /** The parameters of a list. */
  list(type: ContentType): fc.Arbitrary<Parameter[]>
  /** Parameters for reading or writing one document; sometimes others are added. */
  document(type: ContentType): fc.Arbitrary<Parameter[]>
}

interface Weighed {
  readonly weight: number
  readonly arbitrary: fc.Arbitrary<Tree>
}

const NUMBERS = [
  '1',
  '2',
  '3',
  '5',
  '100',
  '1',
  '2',
  '3',
  '0',
  '-1',
  '1000000',
  '9007199254740993',
  '1e3',
  '1.5',
  'x',
  '',
]

const numbered = (...names: readonly string[]): fc.Arbitrary<Tree> =>
  fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...NUMBERS), { maxKeys: 2 })

const pages: fc.Arbitrary<Tree> = fc.oneof(
  { weight: 6, arbitrary: numbered('page', 'pageSize') },
  { weight: 4, arbitrary: numbered('start', 'limit') },
  { weight: 1, arbitrary: numbered('page', 'limit', 'withCount', 'pageCount') },
  { weight: 2, arbitrary: named('withCount', fc.constantFrom(...BOOLEANS)) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.oneof(
          { weight: 2, arbitrary: fc.constantFrom('', 'start') },
          { weight: 1, arbitrary: fc.constantFrom('x', 'e30', '!!', 'bnVsbA', 'true', '*') },
          { weight: 3, arbitrary: fc.nat(30).map((index) => `{{cursor ${index}}}`) },
        ),
        fc.constantFrom('1', '2', '7'),
      )
      .map(([cursor, pageSize]): Tree => ({ cursor, pageSize })),
  },
  { weight: 1, arbitrary: oddTrees },
)

const publications = fc.oneof(
  named(
    'publicationFilter',
    fc.constantFrom(
      'modified',
      'unmodified',
      'never-published',
      'published',
      'bogus',
      '',
      'has-published-version',
    ),
  ),
  named('hasPublishedVersion', fc.constantFrom(...BOOLEANS)),
)

/** A few parameters, each in its own encoding. */
function together(ones: readonly Weighed[], most: number): fc.Arbitrary<Parameter[]> {
  const written = fc.tuple(fc.oneof(...ones), fc.nat(7)).map(([tree, bits]) => {
    const [entry] = Object.entries(tree)
    return entry ? flatten(entry[1], entry[0], bits) : []
  })
  const one = fc.oneof({ weight: 40, arbitrary: written }, { weight: 3, arbitrary: mangled })
  return fc.oneof(
    { weight: 80, arbitrary: fc.array(one, { maxLength: most, size: 'max' }).map((lists) => lists.flat()) },
    { weight: 1, arbitrary: huge },
  )
}

export function queryGrammar(model: Model): QueryGrammar {
  const filters = filterGrammar(model)
  const { sort, fields, populate } = selectionGrammar(model, filters)

  const statuses = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<Tree>('draft', 'published') },
    { weight: 1, arbitrary: fc.oneof(fc.constantFrom<Tree>('modified', '', 'DRAFT'), oddTrees) },
  )
  const locales = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<Tree>(...model.locales.codes) },
    { weight: 2, arbitrary: fc.constantFrom<Tree>('*', ['en', 'fr'], 'xx', '', 'EN', 'en-GB', "en' or 1=1") },
    { weight: 1, arbitrary: oddTrees },
  )
  const versions: readonly Weighed[] = [
    { weight: 3, arbitrary: named('status', statuses) },
    { weight: 3, arbitrary: named('locale', locales) },
  ]

  return {
    list: (type) =>
      together(
        [
          ...versions,
          { weight: 8, arbitrary: named('filters', filters(type, 2)) },
          { weight: 5, arbitrary: named('populate', populate(type, 2)) },
          { weight: 4, arbitrary: named('sort', sort(type)) },
          { weight: 3, arbitrary: named('pagination', pages) },
          { weight: 3, arbitrary: named('fields', fields(type)) },
          { weight: 2, arbitrary: named('_q', words) },
          { weight: 2, arbitrary: publications },
          { weight: 1, arbitrary: named('explain', fc.constantFrom(...BOOLEANS)) },
        ],
        4,
      ),
    document: (type) =>
      together(
        [
          ...versions,
          { weight: 6, arbitrary: named('populate', populate(type, 2)) },
          { weight: 3, arbitrary: named('fields', fields(type)) },
          { weight: 1, arbitrary: named('filters', filters(type, 1)) },
          { weight: 1, arbitrary: named('sort', sort(type)) },
        ],
        2,
      ),
  }
}
