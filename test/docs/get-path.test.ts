import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { StatementSync } from 'node:sqlite'
import { test } from 'node:test'
import { bothEngines } from '../support/engines.ts'
import { serve } from '../support/server.ts'

const ROOT = new URL('../../', import.meta.url)

const files = new Map<string, unknown>([
  ['config/roles.json', { public: { 'api::tree.tree': ['find'] } }],
  [
    'src/api/tree/content-types/tree/schema.json',
    {
      kind: 'collectionType',
      collectionName: 'trees',
      info: { singularName: 'tree', pluralName: 'trees', displayName: 'Tree' },
      attributes: { name: { type: 'string' } },
    },
  ],
])

/** The numbered files of a section of docs/architecture.md. */
function documentedFiles(section: string): string[] {
  const page = readFileSync(new URL('docs/architecture.md', ROOT), 'utf8')
  const text = page.split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...text.matchAll(/^\d+\. `(src\/[^`]+)`/gm)].map(([, file = '']) => file)
}

/** The source files that called the current function, outermost first, each once. */
function callingFiles(): string[] {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 100
  const { stack = '' } = new Error('trace')
  Error.stackTraceLimit = limit
  const frames = stack.split(`${ROOT.href}src/`).slice(1)
  return [...new Set(frames.map((frame) => `src/${frame.slice(0, frame.indexOf(':'))}`).toReversed())]
}

test('a list is read through the files that the architecture guide names, in their order', async (t) => {
  const [sqlite] = bothEngines()
  const server = await serve(files, await sqlite.freshUrl())
  t.after(() => server.close())
  // The first request waits for the permissions to be read.
  await fetch(`${server.base}/api/trees`)
  const get = StatementSync.prototype.get
  const paths: string[][] = []
  t.mock.method(
    StatementSync.prototype,
    'get',
    function (this: StatementSync, ...values: Parameters<typeof get>) {
      paths.push(callingFiles())
      return Reflect.apply(get, this, values)
    },
  )
  const response = await fetch(`${server.base}/api/trees?sort=name`)
  assert.equal(response.status, 200)
  const documented = documentedFiles('The path of a GET')
  assert.equal(documented.length, 12)
  const last = documented.at(-1)
  // `andThen` is used everywhere and does nothing of its own.
  const [seen] = paths.filter((path) => path.at(-1) === last)
  assert.deepEqual(
    seen?.filter((file) => file !== 'src/store/maybe-promise.ts'),
    documented,
  )
})
