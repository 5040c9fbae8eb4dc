import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { restaurantModel } from '../../test/support/restaurant-model.ts'
import { ApiError } from '../errors.ts'
import { parseQueryString } from '../http/request/query-string.ts'
import { typeOf } from '../model/model.ts'
import { defaults } from '../project/config/defaults.ts'

import { parseQuery } from './parse-query.ts'
import { type Scope, systemScope } from './scope.ts'

const { rest } = defaults.api
const restaurant = typeOf(restaurantModel, 'api::restaurant.restaurant')

const tag = typeOf(restaurantModel, 'api::tag.tag')

const ask = (query: string, scope: Scope = systemScope, settings = rest, type = restaurant) =>
  parseQuery(
    type,
    { kind: 'list' },
    parseQueryString(query, settings.bounds),
    restaurantModel,
    scope,
    settings,
  )

/** A caller who may list restaurants and chefs, and nothing else. */
const visitor: Scope = {
  key: 'visitor',
  principal: { kind: 'public' },
  may: (type, action) => action === 'find' && ['api::restaurant.restaurant', 'api::chef.chef'].includes(type),
  rule: () => null,
}

function refusal(query: string, scope?: Scope, settings?: typeof rest, type = restaurant): ApiError {
  try {
    ask(query, scope, settings, type)
  } catch (error) {
    assert(error instanceof ApiError, String(error))
    assert.equal(error.status, 400)
    return error
  }
  return assert.fail(`${query} was accepted`)
}

describe('a key that is unknown, private or forbidden is refused with its name and path', () => {
  const cases: readonly (readonly [query: string, key: string, path: string | null])[] = [
    ['filters[zzz]=1', 'zzz', null],
    ['filters[stars][$foo]=1', '$foo', 'stars'],
    ['filters[stars][gt]=1', 'gt', 'stars'],
    ['filters[$eq]=1', '$eq', null],
    ['filters[constructor]=1', 'constructor', null],
    ['filters[notes]=a', 'notes', null],
    ['filters[code][$startsWith]=a', 'code', null],
    ['filters[$or][0][notes]=a', 'notes', null],
    ['filters[$and][0][zzz]=a', 'zzz', null],
    ['filters[chef][$not][zzz]=a', 'zzz', 'chef'],
    ['filters[chef][salary][$gt]=1', 'salary', 'chef'],
    ['filters[chef][zzz][$gt]=1', 'zzz', 'chef'],
    ['filters[address][secret]=1', 'secret', 'address'],
    ['filters[address][zzz]=1', 'zzz', 'address'],
    ['filters[createdBy]=1', 'createdBy', null],
    ['sort=zzz', 'zzz', null],
    ['sort=notes', 'notes', null],
    ['sort=chef', 'chef', 'chef'],
    ['sort=chef.salary', 'salary', 'chef'],
    ['sort=chef.zzz', 'zzz', 'chef'],
    ['sort[chef][salary]=desc', 'salary', 'chef'],
    ['sort[zzz]=', 'zzz', null],
    ['sort=zone.text', 'zone', 'zone'],
    ['fields=zzz', 'zzz', null],
    ['fields=name,notes', 'notes', null],
    ['fields=*,zzz', 'zzz', null],
    ['fields=zzz,*', 'zzz', null],
    ['fields[0]=*&fields[1]=notes', 'notes', null],
    ['populate[chef][fields]=*,salary', 'salary', 'chef'],
    ['fields[0]=', '', null],
    ['fields=chef', 'chef', 'chef'],
    ['populate=zzz', 'zzz', 'zzz'],
    ['populate=notes', 'notes', 'notes'],
    ['populate=name', 'name', 'name'],
    ['populate=false', 'false', 'false'],
    ['populate[0]=*', '*', '*'],
    ['populate[chef]=', '', 'chef'],
    ['populate[chef][pagination][limit]=1', 'pagination', 'chef'],
    ['populate[chef][populate]=mentor,restaurants', 'mentor,restaurants', 'chef.mentor,restaurants'],
    ['populate[chef][populate][0]=mentor,restaurants', 'mentor,restaurants', 'chef.mentor,restaurants'],
    ['populate[chef][fields]=salary', 'salary', 'chef'],
    ['populate[chef][filters][salary]=1', 'salary', 'chef'],
    ['populate[zone][fields]=text', 'fields', 'zone'],
    ['populate[zone][on][place.address]=true', 'place.address', 'zone.on'],
    ['populate=zone.text', 'text', 'zone.text'],
    ['populate=createdBy', 'createdBy', 'createdBy'],
    ['populate[zzz]=false', 'zzz', 'zzz'],
    ['populate[name]=false', 'name', 'name'],
    ['populate[chef][populate][zzz]=false', 'zzz', 'chef.zzz'],
    ['populate[zone][on][place.address]=false', 'place.address', 'zone.on'],
    ['populate[zone][on][block.quote]=true&populate[zone][populate]=dish', 'populate', 'zone'],
    ['populate[chef][count]=true&populate[chef][fields]=zzz', 'zzz', 'chef'],
    ['populate[chef][count]=true&populate[chef][populate]=zzz', 'zzz', 'chef.zzz'],
    ['populate[chef][count]=true&populate[chef][sort]=zzz', 'zzz', 'chef'],
    ['populate[chef][populate][restaurants][sort]=chef.zzz', 'zzz', 'chef.restaurants.chef'],
    ['populate[chef][populate][mentor]=', '', 'chef.mentor'],
    ['populate[menu][sort]=title:sideways', 'title', 'menu.title'],
    ['populate[zone][on][block.quote]=maybe', 'block.quote', 'zone.on.block.quote'],
    ['populate[chef][count]=maybe', 'count', 'chef.count'],
    ['sort=chef.name.zzz', 'zzz', 'chef.name'],
    ['sort=extra.zzz', 'zzz', 'extra'],
    ['sort=chef..name', '', 'chef'],
    ['populate[menu][count]=true&populate[menu][fields]=zzz', 'zzz', 'menu'],
    ['populate[zone][count]=true&populate[zone][on][place.address]=true', 'place.address', 'zone.on'],
  ]
  for (const [query, key, path] of cases) {
    it(query, () => {
      const { details, name } = refusal(query)
      assert.equal(name, 'ValidationError')
      assert.deepEqual(
        { key: details.key, path: details.path, source: details.source },
        { key, path, source: 'query' },
      )
    })
  }
})

describe('an invalid value is refused with its path', () => {
  const cases: readonly (readonly [query: string, place: string])[] = [
    ['filters=abc', 'filters'],
    ['filters[0][stars]=5', 'filters'],
    ['filters[stars]=', 'stars'],
    ['filters[stars]=abc', 'stars'],
    ['filters[stars][$eqi]=abc', 'stars.$eqi'],
    ['filters[opened][$nei]=yesterday', 'opened.$nei'],
    ['filters[stars][$in][0]=', 'stars.$in'],
    ['filters[stars][$in]=1,2', 'stars.$in'],
    ['filters[stars][$between]=2', 'stars.$between'],
    [
      'filters[stars][$between][0]=1&filters[stars][$between][1]=2&filters[stars][$between][2]=3',
      'stars.$between',
    ],
    ['filters[stars][$eq][a]=1', 'stars.$eq'],
    ['filters[stars][$null]=maybe', 'stars.$null'],
    ['filters[opened]=2021-02-30', 'opened'],
    ['filters[$or]=5', '$or'],
    ['filters[$or][0]=5', '$or'],
    ['filters[cover][name]=a', 'cover'],
    ['filters[cover]=1', 'cover'],
    ['filters[zone][text]=a', 'zone'],
    ['filters[address]=1', 'address'],
    ['sort=name:sideways', 'name'],
    ['sort=name:', 'name'],
    ['sort[name]=up', 'name'],
    ['pagination[page]=abc', 'page'],
    ['pagination[pageSize]=2.7', 'pageSize'],
    ['pagination[limit]=3abc', 'limit'],
    ['pagination[withCount]=', 'withCount'],
    ['populate[chef][count]=maybe', 'chef.count'],
    ['populate[localizations][count]=true&populate[localizations][limit]=abc', 'localizations.limit'],
    ['status=foo', 'status'],
    ['status[0]=draft', 'status'],
    ['publicationFilter=bogus', 'publicationFilter'],
    ['hasPublishedVersion=maybe', 'hasPublishedVersion'],
    ['_q[0]=a', '_q'],
  ]
  for (const [query, place] of cases) {
    it(query, () =>
      assert.match(refusal(query).message, new RegExp(place.replaceAll('$', '\\$').replaceAll('.', '\\.'))),
    )
  }
})

describe('names can be in lists, separated by commas, or both, with spaces around them', () => {
  const cases: readonly (readonly [query: string, same: string])[] = [
    ['fields[0]=name,stars', 'fields=name,stars'],
    ['fields=name,stars&fields=rating', 'fields=name,stars,rating'],
    ['fields[0]=name&fields[1]=*', 'fields=*'],
    ['populate[chef][fields][0]=name,createdAt', 'populate[chef][fields]=name,createdAt'],
    ['populate[0]=chef,menu', 'populate=chef,menu'],
    ['populate=chef,menu&populate=address', 'populate=chef,menu,address'],
    ['populate[0]=%20chef', 'populate=chef'],
    ['populate[0]=chef%20.%20mentor', 'populate=chef.mentor'],
    ['populate[chef][populate][0]=%20mentor', 'populate=chef.mentor'],
    ['populate=%20*', 'populate=*'],
    ['sort[0]=stars,name', 'sort=stars,name'],
    ['sort=stars:%20desc', 'sort=stars:desc'],
    ['sort=%20stars%20:desc%20,%20chef%20.%20name', 'sort=stars:desc,chef.name'],
    ['sort[stars]=%20desc', 'sort=stars:desc'],
    ['sort[stars]=', 'sort='],
    ['sort[stars]=&sort[name]=desc', 'sort=name:desc'],
    ['sort=stars,name,stars', 'sort=stars,name'],
  ]
  for (const [query, same] of cases)
    it(`${query} is the same as ${same}`, () => assert.deepEqual(ask(query).query, ask(same).query))
})

describe('$eqi ignores how a value without letters is written', () => {
  const cases: readonly (readonly [attribute: string, value: string])[] = [
    ['id', '7'],
    ['stars', '05'],
    ['rating', '4.50'],
    ['opened', '2021-02-03'],
    ['createdAt', '2021-02-03T04:05:06Z'],
  ]
  for (const [name, value] of cases)
    it(`${name} is compared by $eqi and $nei as by $eq and $ne`, () => {
      for (const [folded, plain] of [
        ['$eqi', '$eq'],
        ['$nei', '$ne'],
      ])
        assert.deepEqual(
          ask(`filters[${name}][${folded}]=${value}`),
          ask(`filters[${name}][${plain}]=${value}`),
        )
    })
})

describe('an integer can have any length', () => {
  const far = '100000000000000000000'
  it('as a page size, which is limited to the maximum', () => {
    assert.equal(ask(`pagination[pageSize]=${far}`).page?.limit, rest.maxLimit)
    assert.equal(ask(`pagination[limit]=${far}`).page?.limit, rest.maxLimit)
    assert.equal(ask(`pagination[pageSize]=-${far}`).page?.limit, 1)
  })
  it('as a page number, where the page is empty', () => {
    assert.equal(ask(`pagination[page]=${far}`).page?.start, Number.MAX_SAFE_INTEGER)
    assert.equal(ask(`pagination[start]=${far}`).page?.start, Number.MAX_SAFE_INTEGER)
    assert.equal(ask(`pagination[start]=${'9'.repeat(400)}`).page?.start, Number.MAX_SAFE_INTEGER)
    assert.equal(ask(`pagination[start]=-${far}`).page?.start, 0)
  })
})

describe('an empty name is refused', () => {
  const cases: readonly (readonly [query: string, message: string])[] = [
    ['fields=name,,stars', 'Empty key in fields'],
    ['populate[chef]=', 'Empty key in populate at chef'],
    ['populate=chef..mentor', 'Empty key in populate at chef'],
    ['sort=chef..name', 'Empty key in sort at chef'],
    ['sort=:desc', 'Empty key in sort'],
  ]
  for (const [query, message] of cases) it(query, () => assert.equal(refusal(query).message, message))
})

it('an index beyond the maximum list length is refused with the maximum', () => {
  assert.ok(ask('filters[stars][$in][999]=1'))
  assert.match(refusal('filters[stars][$in][1000]=1').message, /indexes up to 999$/)
})

describe('options for all types of a polymorphic relation are checked', () => {
  const cases: readonly (readonly [query: string, key: string, path: string])[] = [
    ['populate=related.nope', 'nope', 'related.nope'],
    ['populate=related.name', 'name', 'related.name'],
    ['populate=related.chef.nope', 'nope', 'related.chef.nope'],
    ['populate[related][populate]=chef', 'populate', 'related'],
    ['populate[related][populate]=false', 'populate', 'related'],
    ['populate[related][populate][nope]=true', 'populate', 'related'],
    ['populate[related][on][api::dish.dish]=true&populate[related][populate]=chef', 'populate', 'related'],
    ['populate[related][on][api::nope.nope]=true', 'api::nope.nope', 'related.on'],
  ]
  for (const [query, key, path] of cases) {
    it(query, () => {
      const { details } = refusal(query, systemScope, rest, tag)
      assert.deepEqual([details.key, details.path], [key, path])
    })
  }
  it('and a name of a type that the caller may not see is unknown', () => {
    assert.equal(refusal('populate=related.related', visitor, rest, tag).details.key, 'related')
    assert.ok(ask('populate=related.related', systemScope, rest, tag))
  })
})

describe('what the caller may not see', () => {
  it('is left out of populate, and listed as omitted', () => {
    const { query, omitted } = ask('populate[menu][populate]=dish&populate[chef]=true', visitor)
    assert.deepEqual(omitted, ['menu.dish'])
    assert.deepEqual(
      query.select.populate.map(({ name }) => name),
      ['menu', 'chef'],
    )
  })
  it('is not listed where only a count is shown', () => {
    const { omitted } = ask('populate[menu][count]=true&populate[menu][populate]=dish', visitor)
    assert.deepEqual(omitted, [])
  })
  it('cannot be reached by filters', () => {
    assert.equal(refusal('filters[menu][dish][name]=a', visitor).details.key, 'dish')
  })
  it('cannot be reached by sort', () => {
    assert.equal(refusal('sort=menu.dish.name', visitor).details.key, 'dish')
  })
})

describe('a row rule', () => {
  const limited: Scope = {
    ...visitor,
    rule: (type) =>
      type === 'api::chef.chef' ? { filters: { salary: { $gt: 10 } }, fields: ['name'] } : null,
  }
  it('applies to every step to documents of its type, and may use private attributes', () => {
    const { query } = ask('filters[chef][name]=a&populate=chef&sort=chef.name', limited)
    const steps = JSON.stringify(query).match(/"visible":\{"kind":"compare","field":\{"name":"salary"/g)
    assert.equal(steps?.length, 3)
  })
  it('limits the fields that can be shown and used', () => {
    assert.equal(refusal('filters[chef][restaurants][name]=a', limited).details.key, 'restaurants')
    const [chef] = ask('populate=chef', limited).query.select.populate
    assert(chef?.kind === 'related')
    assert.deepEqual(
      chef.select.fields?.map(({ name }) => name),
      ['name', 'createdAt', 'updatedAt', 'publishedAt'],
    )
  })
})

describe('bounds', () => {
  const tight = { ...rest, bounds: { depth: 5, keys: 10, listLength: 5, planSize: 4 } }
  const cases: readonly (readonly [what: string, query: string])[] = [
    ['levels', 'filters[$not][$not][$not][$not][$not][$not][stars]=1'],
    ['parameters', Array.from({ length: 11 }, (_, i) => `a${i}=1`).join('&')],
    ['entries of a list', Array.from({ length: 7 }, (_, i) => `filters[stars][$in][${i}]=${i}`).join('&')],
    ['nodes of the tree', 'populate=chef.mentor.mentor.mentor.mentor'],
  ]
  for (const [what, query] of cases) it(`on ${what} are kept`, () => void refusal(query, systemScope, tight))
})

it('an unknown parameter is ignored, unless the configuration is strict', () => {
  assert.ok(ask('foo[bar][0]=1&pagination[foo]=1'))
  const strict = { ...rest, strictParams: true }
  assert.equal(refusal('foo=1', systemScope, strict).details.key, 'foo')
  assert.equal(refusal('pagination[foo]=1', systemScope, strict).details.key, 'foo')
})

it('the shape of a query does not depend on its values', () => {
  const shape = (name: string, stars: number) =>
    JSON.stringify(
      ask(
        `filters[name][$containsi]=${encodeURIComponent(name)}&filters[stars]=${stars}&pagination[page]=${stars + 1}`,
      ).query,
    )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(1000), (name, stars) => {
      fc.pre(!name.includes('\0'))
      assert.equal(shape(name, stars), shape('a', 1))
    }),
  )
})

it('no query string makes the parser fail with anything but a 400', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'filters',
      'sort',
      'populate',
      'fields',
      'pagination',
      'chef',
      'name',
      'stars',
      'zone',
      'menu',
      'on',
    ),
    fc.constantFrom(
      '$or',
      '$and',
      '$not',
      '$in',
      '$null',
      '$between',
      '$eq',
      '0',
      '1',
      '',
      '*',
      '__proto__',
      'constructor',
    ),
    fc.string({ maxLength: 4 }),
  )
  const pair = fc
    .tuple(
      fc.constantFrom('filters', 'sort', 'populate', 'fields', 'pagination', 'status', 'locale', '_q'),
      fc.array(word, { maxLength: 5 }),
      word,
    )
    .map(
      ([param, path, value]) =>
        `${param}${path.map((part) => `[${encodeURIComponent(part)}]`).join('')}=${encodeURIComponent(value)}`,
    )
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 6 }), (pairs) => {
      try {
        ask(pairs.join('&'))
      } catch (error) {
        assert(error instanceof ApiError && error.status === 400, String(error))
      }
    }),
    { numRuns: 3000 },
  )
})
