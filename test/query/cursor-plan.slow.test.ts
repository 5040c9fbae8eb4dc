/** According to the query plan of the engine, a cursor page reads as many rows on page 10,000 as on the first. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { parseQueryString } from '../../src/http/request/query-string.ts'
import { typeOf } from '../../src/model/model.ts'
import { compile } from '../../src/plan/plan.ts'
import { bind } from '../../src/plan/prepared-statement.ts'
import { defaults } from '../../src/project/config/defaults.ts'
import { parseQuery } from '../../src/query/parse-query.ts'
import { systemScope } from '../../src/query/scope.ts'
import type { Row, Statement } from '../../src/store/statement.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

const ROWS = 5_000
const PAGE = 10
/** The size of the page and one row more, for each range and for the page; more where PostgreSQL prefers a filter. */
const MAX_ROWS = (PAGE + 1) * 8

const PROJECT = new Map<string, unknown>([
  [
    'src/api/item/content-types/item/schema.json',
    {
      kind: 'collectionType',
      collectionName: 'items',
      info: { singularName: 'item', pluralName: 'items', displayName: 'Item' },
      options: { indexes: [['rank']] },
      attributes: {
        rank: { type: 'integer' },
        code: { type: 'string', unique: true },
        plain: { type: 'integer' },
      },
    },
  ],
])

onEachEngine((engine) => {
  let running: TestServer

  const statementOf = (query: string): Statement => {
    const layout = running.server.layout()
    const type = typeOf(layout.model, 'api::item.item')
    const { rest } = defaults.api
    const checked = parseQuery(
      type,
      { kind: 'list' },
      parseQueryString(query, rest.bounds),
      layout.model,
      systemScope,
      rest,
    )
    return bind(compile(checked.query, layout, engine.dialect).read, checked.values)
  }

  const explain = ({ sql, parameters }: Statement): Promise<readonly Row[]> =>
    running.server.store.read({
      sql: `${engine.name === 'sqlite' ? 'explain query plan' : 'explain (analyze, format json)'} ${sql}`,
      parameters,
    })

  /** A cursor in the middle of a long range of equal values, far from the beginning. */
  const cursorAt = async (sort: string, start: number): Promise<string> => {
    const { reads } = running.server
    const type = typeOf(running.server.layout().model, 'api::item.item')
    let cursor = 'start'
    for (let left = start; left > 0; left -= 100) {
      const { cursors } = await reads().list(
        type,
        { sort, fields: 'id', pagination: { cursor, pageSize: 100 } },
        systemScope,
      )
      cursor = cursors?.next ?? assert.fail('the list is too short')
    }
    return cursor
  }

  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
    const numbers = Array.from({ length: ROWS }, (_, index) => index + 1)
    await running.server.store.write(async (transaction) => {
      for (let from = 0; from < ROWS; from += 500) {
        const rows = numbers.slice(from, from + 500).map((n) => {
          const rank = n % 5 === 0 ? 'null' : n % 5
          return `('d${n}', '', 1, '2020', '2020', '', ${rank}, 'c${n}', ${n % 7})`
        })
        transaction.run({
          sql: `insert into items (document_id, locale, published, created_at, updated_at, served, a_rank, a_code, a_plain) values ${rows.join()}`,
          parameters: [],
        })
      }
      transaction.touch('items')
    })
    if (engine.name === 'postgres')
      await running.server.store.write(async (transaction) =>
        transaction.run({ sql: 'analyze', parameters: [] }),
      )
  })
  after(() => running?.close())

  /** The plan of PostgreSQL has the number of rows of each step, that of SQLite the index and whether rows are sorted. */
  const assertReadsAPage = async (query: string, stretches: number) => {
    const plan = await explain(statementOf(query))
    if (engine.name === 'postgres') {
      const met = rowsMet(JSON.parse(String(plan[0]?.['QUERY PLAN'])))
      assert.ok(met <= MAX_ROWS, `${query} reads ${met} rows`)
      return
    }
    const steps = plan.map(({ detail }) => String(detail))
    const searches = steps.filter((step) => / (items|t\d+) /.test(step))
    for (const step of searches)
      assert.match(step, /SEARCH t\d+ USING (COVERING INDEX|INDEX|INTEGER PRIMARY KEY)/, steps.join('\n'))
    assert.ok(!steps.some((step) => /^SCAN t\d/.test(step)), steps.join('\n'))
    const sorts = steps.filter((step) => step.includes('TEMP B-TREE'))
    assert.ok(sorts.length <= (stretches > 1 ? 2 : 1), steps.join('\n'))
  }

  for (const [sort, stretches] of [
    ['', 1],
    ['id:desc', 1],
    ['rank', 2],
    ['code', 2],
  ] as const) {
    it(`uses the index far into the list${sort ? `, sorted by ${sort}` : ''}`, async () => {
      const cursor = await cursorAt(sort, 3_500)
      const query = `sort=${sort}&fields=id&pagination[pageSize]=${PAGE}&pagination[cursor]=${cursor}`
      await assertReadsAPage(query, stretches)
    })
  }

  it('uses the index far into the list among nulls', async () => {
    const cursor = await cursorAt('rank', 700)
    await assertReadsAPage(`sort=rank&fields=id&pagination[pageSize]=${PAGE}&pagination[cursor]=${cursor}`, 2)
  })

  it('reads each document once where no index has the order', () => {
    const { sql } = statementOf('sort=plain&pagination[cursor]=start')
    assert.ok(!sql.includes('union'))
  })
})

interface Step {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Step[]
}

/** The number of rows that the scans for the page read; each row of the page is then read once more. */
function rowsMet([{ Plan }]: readonly [{ readonly Plan: Step }]): number {
  const count = (step: Step): number => {
    const own = step['Node Type'].includes('Scan') && step['Node Type'] !== 'Subquery Scan'
    const rows = (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops']
    return (own ? rows : 0) + (step.Plans ?? []).reduce((sum, inner) => sum + count(inner), 0)
  }
  return count(Plan)
}
