import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { restaurantLayout, restaurantModel } from '../../test/support/restaurant-model.ts'
import { parseQueryString } from '../http/request/query-string.ts'
import { typeOf } from '../model/model.ts'
import { defaults } from '../project/config/defaults.ts'

import { parseQuery } from '../query/parse-query.ts'
import { systemScope } from '../query/scope.ts'
import type { Dialect } from '../store/dialect.ts'
import { postgresDialect } from '../store/postgres/dialect.ts'
import { sqliteDialect } from '../store/sqlite/dialect.ts'
import { knownPage } from './known-page.ts'
import { compile } from './plan.ts'
import { bind } from './prepared-statement.ts'

const { rest } = defaults.api
const engines = [sqliteDialect, postgresDialect]

const checked = (query: string, type = 'api::restaurant.restaurant') =>
  parseQuery(
    typeOf(restaurantModel, type),
    { kind: 'list' },
    parseQueryString(query, rest.bounds),
    restaurantModel,
    systemScope,
    rest,
  )

const plan = (query: string, engine: Dialect = sqliteDialect) =>
  compile(checked(query).query, restaurantLayout, engine)

describe('the text of a statement', () => {
  it('never contains a value', () => {
    const marker = 'zq\'"`;--\\'
    const value = encodeURIComponent(marker)
    const queries = [
      `filters[name]=${value}`,
      `filters[name][$in][0]=${value}&filters[name][$in][1]=b`,
      `filters[name][$containsi]=${value}`,
      `filters[chef][name][$startsWith]=${value}`,
      `filters[menu][title][$endsWith]=${value}`,
      `filters[extra][$contains]=${value}`,
      `populate[chef][filters][name]=${value}`,
      `populate[menu][filters][title]=${value}`,
      `_q=${value}`,
      `locale=${value}`,
    ]
    for (const query of queries) {
      for (const engine of engines) {
        const { read, readAndCount } = plan(query, engine)
        assert(!read.sql.includes('zq') && !readAndCount?.sql.includes('zq'), query)
        assert(JSON.stringify(bind(read, checked(query).values).parameters).includes('zq'), query)
      }
    }
  })

  it('is the same for queries that differ only in values', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 99 }), (a, b) => {
        const sql = (n: number) => plan(`filters[stars][$gt]=${n}&pagination[start]=${n}`).readAndCount?.sql
        assert.equal(sql(a), sql(b))
      }),
      { numRuns: 20 },
    )
  })
})

describe('the tables that a result depends on', () => {
  const cases: readonly (readonly [query: string, tables: string[], countTables: string[]])[] = [
    ['', ['restaurants'], ['restaurants']],
    ['populate=chef', ['chefs', 'octavo_edges', 'restaurants'], ['restaurants']],
    ['sort=chef.name', ['chefs', 'octavo_edges', 'restaurants'], ['restaurants']],
    [
      'filters[chef][name]=a',
      ['chefs', 'octavo_edges', 'restaurants'],
      ['chefs', 'octavo_edges', 'restaurants'],
    ],
    ['populate[menu][populate]=dish', ['dishes', 'octavo_edges', 'restaurants'], ['restaurants']],
    ['populate[zone][populate]=*', ['dishes', 'octavo_edges', 'restaurants'], ['restaurants']],
    ['populate=cover', ['octavo_edges', 'octavo_files', 'restaurants'], ['restaurants']],
    ['populate=localizations', ['restaurants'], ['restaurants']],
  ]
  for (const [query, tables, countTables] of cases) {
    it(`are listed for "${query}"`, () => {
      const { tables: all, countTables: counted } = plan(query)
      assert.deepEqual({ all: [...all], counted: [...counted] }, { all: tables, counted: countTables })
    })
  }
})

it('a page selects its rows before it builds their JSON', () => {
  for (const engine of engines) {
    const { sql } = plan('populate=chef&sort=name', engine).read
    const limit = sql.indexOf('limit')
    const [json, chosen] = [sql.indexOf('"served"'), sql.slice(sql.indexOf('from (select'), limit)]
    assert(json >= 0 && limit >= 0 && !chosen.includes('served'))
  }
})

it('a page filtered by a to-one relation is selected from the edges, without the rows they start from, and its total too', () => {
  const { query } = checked('filters[mentor][name]=Ada', 'api::chef.chef')
  const sorted = checked('filters[mentor][name]=Ada&sort=name', 'api::chef.chef')
  for (const engine of engines) {
    const { read, readAndCount } = compile(query, restaurantLayout, engine)
    // The mentors, and the chefs whose JSON is built.
    for (const statement of [read, readAndCount])
      assert.equal(statement?.sql.match(/"chefs" as/g)?.length, 2, statement?.sql)
    // Only the page needs the rows that it is sorted by.
    const [, total] =
      compile(sorted.query, restaurantLayout, engine).readAndCount?.sql.split(' as data, ') ?? []
    assert.equal(total?.match(/"chefs" as/g)?.length, 1, total)
  }
  // With the bare column, PostgreSQL may read all edges in order until it has found a page.
  assert.match(compile(query, restaurantLayout, postgresDialect).read.sql, /order by "t\d+"\."source" \+ 0 /)
})

it('a statement for PostgreSQL contains the size of a usual page and the start of the first page of a search, and hides the offset of a list without filters', () => {
  const paged = (query: string, engine: Dialect) => {
    const { query: tree, values } = checked(query)
    const page = knownPage(tree, values, false, engine)
    return { page, sql: compile(tree, restaurantLayout, engine, { knownPage: page }).read.sql }
  }
  const seven = paged('pagination[pageSize]=7', postgresDialect)
  assert.deepEqual(seven.page, { size: 7, isFirst: false })
  assert.match(seven.sql, / limit 7 offset \(select cast\(\$\d as bigint\)\)/)
  assert.match(paged('filters[name]=a', postgresDialect).sql, / limit 25 offset \$\d/)
  assert.equal(paged('pagination[pageSize]=7', sqliteDialect).page, null)
  assert.doesNotMatch(paged('pagination[pageSize]=7', sqliteDialect).sql, / limit 7 /)
  const { query, values } = checked('_q=abc')
  const first = knownPage(query, values, true, postgresDialect)
  assert.match(
    compile(query, restaurantLayout, postgresDialect, { knownPage: first }).read.sql,
    / limit 25 offset 0/,
  )
  const second = checked('_q=abc&pagination[page]=2')
  assert.equal(knownPage(second.query, second.values, true, postgresDialect)?.isFirst, false)
  assert.equal(knownPage(query, [5_000, 5_000, 5_000], false, postgresDialect), null)
})
