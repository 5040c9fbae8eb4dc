/**
 * Tables and columns whose names Strapi has shortened, because they have more than 55 characters. The name of a table is
 * shortened before it becomes a part of the names of its links.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { StrapiDatabase } from './connection.ts'
import { createLinkReader } from './links.ts'
import { openStrapiDatabase } from './open-database.ts'
import { createRowReader } from './rows.ts'
import { shortName, snakeCase } from './short-names.ts'
import { shapeOf, type TableColumns } from './tables.ts'

const REPORT = 'api::report.annual-report-of-a-regional-department-and-its-branches'
const ATTRIBUTE = 'the_longest_name_of_an_attribute_that_anyone_has_ever_written'

const report = {
  collectionName: 'annual_reports_of_regional_departments_and_their_branches',
  attributes: {
    title: { type: 'string' },
    [ATTRIBUTE]: { type: 'string' },
    notes: { type: 'component', component: 'report.note', repeatable: true },
    departmentsThatHaveContributedToIt: {
      type: 'relation',
      relation: 'manyToMany',
      target: 'api::department.department',
      inversedBy: 'reports',
    },
  },
}
const note = { collectionName: 'components_report_notes', attributes: { text: { type: 'string' } } }

const TABLE = 'annual_reports_of_regional_departments_and_their_be5689'
const SCHEMA = `
  create table ${TABLE} (id integer primary key, document_id text, title text,
    the_longest_name_of_an_attribute_that_anyone_has_e976ef text);
  insert into ${TABLE} values (1, 'one', 'First', 'long');
  create table components_report_notes (id integer primary key, text text);
  insert into components_report_notes values (7, 'a note');
  create table annual_reports_of_regional_departments_and_the5689_cmps
    (id integer primary key, entity_id integer, cmp_id integer, component_type text, field text, "order" real);
  insert into annual_reports_of_regional_departments_and_the5689_cmps values (1, 1, 7, 'report.note', 'notes', 1);
  create table annual_reports_of_re21df8_departments_that_havc04de_lnk (id integer primary key,
    annual_report_of_a_regional_department_and_its_e7d1e_id integer, department_id integer,
    department_ord real, annual_report_of_a_regional_department_and_itse7d1e_ord real);
  insert into annual_reports_of_re21df8_departments_that_havc04de_lnk values (1, 1, 5, 2, 3);
`

let folder: string
let database: StrapiDatabase
let all: TableColumns
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-long-names-'))
  const file = join(folder, 'data.db')
  const made = new DatabaseSync(file)
  made.exec(SCHEMA)
  made.close()
  database = await openStrapiDatabase(`sqlite:${file}`)
  all = await database.columns()
})
after(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

const shapesOfBoth = () => {
  const [shape, component] = [shapeOf(REPORT, report, all), shapeOf('report.note', note, all)]
  assert.ok(shape && component)
  return { shape, components: new Map([['report.note', component]]) }
}

test('rows with all their columns and components are found', async () => {
  const { shape, components } = shapesOfBoth()
  const rows = await collect(createRowReader(database, all, components).rowsOf(shape))
  assert.deepEqual(rows, [
    {
      id: 1,
      data: { title: 'First', [ATTRIBUTE]: 'long', documentId: 'one', notes: [{ id: 7, text: 'a note' }] },
    },
  ])
})

test('links are found, with their order on both sides', async () => {
  const { shape } = shapesOfBoth()
  const links = await collect(createLinkReader(database, all).linksOf(shape))
  assert.deepEqual(links, [
    {
      kind: 'link',
      left: { type: REPORT, ref: 1, field: 'departmentsThatHaveContributedToIt', pos: 2 },
      right: { type: 'api::department.department', ref: 5, field: 'reports', pos: 3 },
    },
  ])
})

test('a column that is not there is named', () => {
  const attributes = { [`${ATTRIBUTE}_twice`]: { type: 'string' } }
  assert.throws(() => shapeOf(REPORT, { ...report, attributes }, all), /no column for the attribute .*_twice/)
})

test('short names are kept, and long ones have 55 characters and their suffix', () => {
  assert.equal(shortName({ parts: ['books', 'author'], suffix: 'lnk' }), 'books_author_lnk')
  assert.equal(shortName({ parts: ['1'.repeat(30)] }), '1'.repeat(30))
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, maxLength: 80, unit: fc.constantFrom(...'abc_') }), {
        minLength: 1,
        maxLength: 3,
      }),
      (parts) => {
        const whole = [...parts, 'lnk'].join('_')
        const short = shortName({ parts, suffix: 'lnk' })
        assert.equal(short.length, Math.min(whole.length, 55))
        assert.ok(short.endsWith('_lnk'))
      },
    ),
  )
})

test('names are written in snake case', () => {
  assert.deepEqual(['firstName', 'line2', 'SEOTitle', 'a_b'].map(snakeCase), [
    'first_name',
    'line_2',
    'seo_title',
    'a_b',
  ])
})
