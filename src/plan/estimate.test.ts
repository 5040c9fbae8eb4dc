import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { restaurantModel } from '../../test/support/restaurant-model.ts'
import { parseQueryString } from '../http/request/query-string.ts'
import { typeOf } from '../model/model.ts'
import { defaults } from '../project/config/defaults.ts'
import { parseQuery } from '../query/parse-query.ts'
import { systemScope } from '../query/scope.ts'
import { type ContentCounts, estimateRead, populatesMany } from './estimate.ts'

const { rest } = defaults.api

/** A thousand restaurants in two locales with a chef each, 100 chefs and 20 tags that refer to 50 documents each. */
const COUNTS: ContentCounts = {
  rows: (type) =>
    ({ 'api::restaurant.restaurant': 2_000, 'api::chef.chef': 100, 'api::tag.tag': 20 })[type] ?? 0,
  edges: ({ type, attribute }) =>
    ({ restaurantchef: 2_000, tagrelated: 1_000 })[type.slice(5).split('.')[0] + attribute] ?? 0,
}

const checked = (type: string, query: string) =>
  parseQuery(
    typeOf(restaurantModel, `api::${type}.${type}`),
    { kind: 'list' },
    parseQueryString(query, rest.bounds),
    restaurantModel,
    systemScope,
    rest,
  )

const estimate = (type: string, query: string, counts = COUNTS) => {
  const { query: tree, values } = checked(type, query)
  return estimateRead(tree, values, restaurantModel, counts)
}

const rows = (type: string, query: string) => estimate(type, query).rows

describe('the estimate of a response', () => {
  it('is its page, or the documents that there are', () => {
    assert.equal(rows('restaurant', ''), 25)
    assert.equal(rows('restaurant', 'pagination[pageSize]=7'), 7)
    assert.equal(rows('tag', ''), 20)
    assert.equal(rows('restaurant', 'filters[name]=Alba'), 1)
    assert.equal(rows('tag', 'filters[label][$in][0]=a&filters[label][$in][1]=b'), 2)
  })

  it('counts a to-one relation and a component once for each document', () => {
    assert.equal(rows('restaurant', 'populate=chef'), 50)
    assert.equal(rows('restaurant', 'populate=address,menu'), 75)
  })

  it('multiplies what to-many relations lead to, in one locale', () => {
    // Of the 20 edges of a chef, ten are those of the other locale.
    assert.equal(rows('chef', 'populate=restaurants'), 25 + 25 * 10)
    assert.equal(rows('chef', 'populate=restaurants.chef.restaurants'), 25 + 250 + 250 + 2_500)
    assert.equal(rows('tag', 'populate=related'), 20 + 20 * 50)
  })

  it('includes what is only counted, because it is read too', () => {
    assert.equal(rows('chef', 'populate[restaurants][count]=true'), 25 + 250)
  })

  it('is smaller with a limit or a filter', () => {
    assert.equal(rows('chef', 'populate[restaurants][limit]=3'), 25 + 75)
    assert.equal(rows('chef', 'populate[restaurants][filters][name]=Alba'), 25 + 25)
    assert.equal(rows('chef', 'populate[restaurants][filters][stars][$gt]=2'), 25 + 25)
    assert.equal(rows('chef', 'populate[restaurants][filters][open]=true'), 25 + 125)
  })

  it('names the relation that multiplies most, wherever it is', () => {
    const { multiplier } = estimate('chef', 'populate=restaurants.chef.restaurants.menu')
    assert.deepEqual(multiplier, { path: 'restaurants', parameter: 'populate[restaurants]', perDocument: 10 })
    const below = estimate('restaurant', 'populate[chef][populate]=restaurants').multiplier
    assert.equal(below?.parameter, 'populate[chef][populate][restaurants]')
    assert.equal(estimate('restaurant', 'populate=chef').multiplier, null)
  })

  it('is zero where there is no content', () => {
    const empty: ContentCounts = { rows: () => 0, edges: () => 0 }
    assert.deepEqual(estimate('chef', 'populate=restaurants.chef', empty), { rows: 0, multiplier: null })
  })

  it('never shrinks with a larger page, a larger limit or another level', () => {
    const size = fc.integer({ min: 1, max: 100 })
    const query = (page: number, limit: number, levels: number) =>
      `pagination[pageSize]=${page}&populate[restaurants][limit]=${limit}&populate[restaurants][populate]=${['chef', 'restaurants', 'chef'].slice(0, levels).join('.') || 'address'}`
    fc.assert(
      fc.property(size, size, fc.nat(2), fc.nat(20), (page, limit, levels, more) => {
        const least = rows('chef', query(page, limit, levels))
        for (const other of [query(page + more, limit, levels), query(page, limit + more, levels)])
          assert.ok(rows('chef', other) >= least)
        assert.ok(rows('chef', query(page, limit, levels + 1)) >= least)
      }),
    )
  })
})

it('only reads that populate or count lists are estimated', () => {
  const isEstimated = (type: string, query: string) => populatesMany(checked(type, query).query.select)
  for (const query of [
    '',
    'populate=chef',
    'populate=address,menu',
    'populate=chef.mentor',
    'filters[chef][name]=x',
  ])
    assert.equal(isEstimated('restaurant', query), false, query)
  for (const query of [
    'populate=chef.restaurants',
    'populate=localizations',
    'populate[chef][populate][restaurants][count]=true',
  ])
    assert.equal(isEstimated('restaurant', query), true, query)
  assert.equal(isEstimated('tag', 'populate=related'), true)
})
