import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { schema } from '../form/values/sample-schema.ts'
import { clientCallOf, curlOf, legibleQuery, parametersOf, START } from './query.ts'

const [sample] = schema.types.values()
assert.ok(sample)
const type = {
  ...sample,
  path: 'dishes',
  kind: 'collection',
  localized: true,
  draftAndPublish: true,
} as const

const query = {
  ...START,
  filter: {
    kind: 'group',
    match: 'all',
    of: [{ kind: 'condition', attribute: 'chef.name', operator: '$eq', value: "O'Neil" }],
  },
  fields: ['name'],
  populate: ['chef'],
  sort: 'price',
  isDescending: true,
  locale: 'fr',
} as const

describe('the query of the API page', () => {
  test('is a URL that people can read', () => {
    assert.equal(
      legibleQuery(parametersOf(type, query)),
      "filters[chef][name][$eq]=O'Neil&fields[0]=name&populate[0]=chef&sort=price:desc&locale=fr&pagination[pageSize]=10",
    )
  })

  test('is a call of the client, with quotes escaped', () => {
    assert.equal(
      clientCallOf(type, parametersOf(type, query)),
      [
        "const { data } = await client.find('dishes', {",
        "  filters: { chef: { name: { $eq: 'O\\'Neil' } } },",
        "  fields: ['name'],",
        "  populate: ['chef'],",
        "  sort: 'price:desc',",
        "  locale: 'fr',",
        '  pagination: { pageSize: 10 },',
        '})',
      ].join('\n'),
    )
  })

  test('a quote in a value does not end the argument of the command', () => {
    assert.ok(!curlOf("http://x/?a=O'Neil; rm").includes("O'Neil"))
  })

  test('a single type has no filters, order and pages', () => {
    assert.deepEqual(parametersOf({ ...type, kind: 'single', localized: false }, query), {
      fields: ['name'],
      populate: ['chef'],
    })
  })
})
