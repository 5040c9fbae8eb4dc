import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgresPlan, sqlitePlan } from './engine-plan.ts'

test('a plan of SQLite lists the indexes it uses and the tables it scans', () => {
  const sql = 'select 1 from "books" as "t0" cross join "octavo_edges" as "t1" cross join "authors" as "t2"'
  const row = (id: number, parent: number, detail: string) => ({ id, parent, notused: 0, detail })
  const plan = sqlitePlan(sql, [
    row(2, 0, 'SCAN t0'),
    row(5, 2, 'SEARCH t1 USING PRIMARY KEY (relation=? AND source=?)'),
    row(9, 2, 'SEARCH t2 USING COVERING INDEX authors_version (document_id=?)'),
    row(12, 9, 'SCAN t0 USING COVERING INDEX books_page'),
    row(15, 0, 'SCAN p'),
    row(19, 0, 'SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)'),
  ])
  assert.deepEqual(plan.indexes, ['authors_version', 'books_page', 'books_pkey', 'octavo_edges_pkey'])
  assert.deepEqual(plan.scans, ['books'])
  assert.deepEqual(plan.outline.slice(0, 4), [
    'SCAN t0',
    '  SEARCH t1 USING PRIMARY KEY (relation=? AND source=?)',
    '  SEARCH t2 USING COVERING INDEX authors_version (document_id=?)',
    '    SCAN t0 USING COVERING INDEX books_page',
  ])
})

test('the outline of a plan of PostgreSQL contains no values', () => {
  const node = {
    'Node Type': 'Limit',
    'Total Cost': 9,
    'Plan Rows': 1,
    Plans: [
      {
        'Node Type': 'Index Scan',
        'Index Name': 'books_page',
        'Relation Name': 'books',
        Alias: 't0',
        'Total Cost': 8.34,
        'Plan Rows': 2,
        Filter: "(a_title = 'secret'::text)",
      },
      { 'Node Type': 'Seq Scan', 'Relation Name': 'authors', Alias: 't1', 'Total Cost': 1, 'Plan Rows': 3 },
    ],
  }
  const plan = postgresPlan(JSON.stringify([{ Plan: node }]))
  assert.deepEqual(plan.steps, node)
  assert.deepEqual([plan.indexes, plan.scans], [['books_page'], ['authors']])
  assert.deepEqual(plan.outline, [
    'Limit (cost 9, rows 1)',
    '  Index Scan using books_page on books t0 (cost 8.34, rows 2)',
    '  Seq Scan on authors t1 (cost 1, rows 3)',
  ])
})
