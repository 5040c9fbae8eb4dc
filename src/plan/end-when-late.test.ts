/** Every loop over edges ends when its statement has run for too long, whatever the query: no read escapes its time limit. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { modelOfSchemas } from '../../test/support/schemas.ts'
import { parseQueryString } from '../http/request/query-string.ts'
import { typeOf } from '../model/model.ts'
import { defaults } from '../project/config/defaults.ts'
import { parseQuery } from '../query/parse-query.ts'
import { systemScope } from '../query/scope.ts'
import { DEADLINE } from '../store/reads/deadline-function.ts'
import { sqliteDialect } from '../store/sqlite/dialect.ts'
import { createLayout, EDGES, ownedRelations, relationKeyText } from '../store/tables/layout.ts'
import { compile } from './plan.ts'

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
})
const type = (name: string, attributes: object, more: object = {}) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
  ...more,
})

/** Relations of every kind, from content-types and from components. Each leads to the other type, or to the same. */
const model = modelOfSchemas({
  'api::note.note': type(
    'note',
    {
      name: { type: 'string' },
      tags: relation('manyToMany', 'tag', { inversedBy: 'notes' }),
      likes: relation('oneToMany', 'tag'),
      main: relation('manyToOne', 'tag', { inversedBy: 'mainOf' }),
      twin: relation('oneToOne', 'note'),
      parts: { type: 'component', component: 'note.part', repeatable: true },
      part: { type: 'component', component: 'note.part' },
      files: { type: 'media', multiple: true },
    },
    { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } },
  ),
  'api::tag.tag': type('tag', {
    name: { type: 'string' },
    notes: relation('manyToMany', 'note', { mappedBy: 'tags' }),
    mainOf: relation('oneToMany', 'note', { mappedBy: 'main' }),
    parent: relation('manyToOne', 'tag', { inversedBy: 'children' }),
    children: relation('oneToMany', 'tag', { mappedBy: 'parent' }),
    owner: relation('manyToOne', 'note'),
  }),
  'note.part': {
    info: { displayName: 'part' },
    attributes: {
      name: { type: 'string' },
      tags: relation('manyToMany', 'tag'),
      of: relation('manyToOne', 'tag'),
    },
  },
})
const layout = createLayout(
  model,
  new Map(ownedRelations(model).map((key, index) => [relationKeyText(key), index + 1])),
)

/** Where each step can lead from a shape. */
const STEPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  note: { tags: 'tag', likes: 'tag', main: 'tag', twin: 'note', parts: 'part', part: 'part' },
  tag: { notes: 'note', mainOf: 'note', parent: 'tag', children: 'tag', owner: 'note' },
  part: { tags: 'tag', of: 'tag' },
}

/** Paths of up to four steps from notes. */
const paths = fc.array(fc.nat(), { minLength: 1, maxLength: 4 }).map((choices) => {
  let shape = 'note'
  return choices.map((choice) => {
    const steps = Object.entries(STEPS[shape] ?? {})
    const [name = '', next = shape] = steps[choice % steps.length] ?? []
    shape = next
    return name
  })
})

const bracketed = (path: readonly string[]) => path.map((name) => `[${name}]`).join('')
const nested = (path: readonly string[]) => path.map((name) => `[${name}]`).join('[populate]')

const parts = paths.chain((path) =>
  fc.constantFrom(
    `filters${bracketed(path)}[name][$containsi]=x`,
    `filters${bracketed(path)}[name]=x`,
    `filters${bracketed(path)}[id][$null]=true`,
    `filters[$or][0]${bracketed(path)}[name]=x&filters[$or][1][name]=y`,
    `filters[$not]${bracketed(path)}[name][$ne]=x`,
    `sort=${path.join('.')}.name`,
    `sort=${path.join('.')}.name:desc`,
    `populate${nested(path)}=true`,
    `populate${nested(path)}[filters][name]=x&populate${nested(path)}[sort]=name`,
    `populate${nested(path)}[limit]=2`,
    `populate${nested(path)}[populate]=*`,
    `populate=${path.join('.')}`,
  ),
)
const queries = fc.array(parts, { minLength: 1, maxLength: 3 }).map((list) => list.join('&'))

const { rest } = defaults.api

/** The statements of a query; none if it is refused, such as one that sorts twice. */
function statementsOf(query: string): readonly string[] {
  try {
    const parameters = parseQueryString(query, rest.bounds)
    const checked = parseQuery(
      typeOf(model, 'api::note.note'),
      { kind: 'list' },
      parameters,
      model,
      systemScope,
      rest,
    )
    const { read, readAndCount } = compile(checked.query, layout, sqliteDialect)
    return [read.sql, ...(readAndCount ? [readAndCount.sql] : [])]
  } catch {
    return []
  }
}

/** The numbers of relations that lead to one document at most. */
const TO_ONE = ownedRelations(model)
  .filter(({ attribute }) => ['main', 'twin', 'parent', 'owner', 'of'].includes(attribute))
  .map((key) => layout.relationId(key))

/** The aliases of edges that are followed to any number of rows, and whose loop does not check the time. */
function endlessLoops(statement: string): readonly string[] {
  return [...statement.matchAll(new RegExp(`"${EDGES}" as "(t\\d+)"`, 'g'))].flatMap(([, alias = '']) => {
    const has = (pattern: string) => new RegExp(pattern.replaceAll('EDGE', `"${alias}"`)).test(statement)
    const isChecked = has(`\\(EDGE."source" \\+ EDGE."(inverse_)?position"\\) & 15 or ${DEADLINE}\\(\\)`)
    const leadsToOne = has(`EDGE."relation" = (${TO_ONE.join('|')}) and EDGE."source" = `)
    return isChecked || leadsToOne ? [] : [alias]
  })
}

it('every loop over edges checks the time on SQLite', () => {
  let loops = 0
  fc.assert(
    fc.property(queries, (query) => {
      for (const statement of statementsOf(query)) {
        loops += statement.split(`"${EDGES}" as`).length - 1
        assert.deepEqual(endlessLoops(statement), [], `${query}\n${statement}`)
      }
    }),
    { numRuns: 400 },
  )
  assert.ok(loops > 1000, `only ${loops} loops were checked`)
})

it('a loop without the check is found', () => {
  const [statement = ''] = statementsOf('populate=tags')
  assert.match(statement, new RegExp(DEADLINE))
  assert.equal(endlessLoops(statement.replaceAll(DEADLINE, 'something')).length, 1)
})
