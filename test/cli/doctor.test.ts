/** `octavo doctor`: says what is in the way, and leaves everything as it is. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { createServer } from '../../src/http/app.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { createProjectFolder, writeFiles } from '../support/project-folder.ts'

const SCHEMA = 'src/api/note/content-types/note/schema.json'
const NOTE = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
}
const ROLES = { public: { 'api::note.note': ['find', 'findOne'] } }
const NOTES = { [SCHEMA]: NOTE, 'config/roles.json': ROLES }

test('a sound project is well, and is not touched', async (t) => {
  const folder = createProjectFolder(t, NOTES)
  const { code, out } = await octavo(['doctor', '--project', folder])
  assert.equal(code, 0, out)
  assert.match(out, /^✓ Node/m)
  assert.match(out, /All is well\./)
  assert.doesNotMatch(out, /^[!✗]/m)
  assert.ok(!existsSync(path.join(folder, '.octavo')))
})

test('a folder that is no project is not well', async (t) => {
  const folder = createProjectFolder(t, { 'notes.txt': 'hello' })
  const { code, out } = await octavo(['doctor', '--project', folder])
  assert.equal(code, 1)
  assert.match(out, /^✗ .* is not a project: /m)
  assert.match(out, /--project.*octavo new/)
  assert.doesNotMatch(out, /All is well/)
})

test('mistakes in files are told with their place and what was probably meant', async (t) => {
  const folder = createProjectFolder(t, { [SCHEMA]: { ...NOTE, attributes: { text: { type: 'strng' } } } })
  const { code, out } = await octavo(['doctor', '--project', folder])
  assert.equal(code, 1)
  assert.match(out, /^✗ .*schema\.json: attributes\.text.*did you mean "string"\?/m)
})

test('names in own code that the content-types do not have are in the way', async (t) => {
  const config = (extend: string) => ({
    ...NOTES,
    'octavo.config.mjs': `export default { extend: ${extend} }`,
  })
  for (const [extend, told] of [
    ['{ policies: { "api::note.note": { fnid: () => false } } }', /^✗ Own code: .*did you mean "find"\?/m],
    ['{ policy: {} }', /^✗ Own code: extend takes hooks, find, policies, routes/m],
  ] as const) {
    const { code, out } = await octavo(['doctor', '--project', createProjectFolder(t, config(extend))])
    assert.equal(code, 1, out)
    assert.match(out, told)
  }
})

test('production wants a secret of its own, no development tokens and mail', async (t) => {
  const folder = createProjectFolder(t, {
    ...NOTES,
    'config/tokens.json': {
      development: { type: 'full-access', token: `for-development-only-${'x'.repeat(20)}` },
    },
  })
  const { code, out } = await octavo(['doctor', '--project', folder], { env: { NODE_ENV: 'production' } })
  assert.equal(code, 1)
  assert.match(out, /^✗ Tokens: the full-access token development/m)
  assert.match(out, /^✗ Sign-in: auth\.secret is missing/m)
  assert.match(out, /^! Mail/m)
  const inDevelopment = await octavo(['doctor', '--project', folder])
  assert.equal(inDevelopment.code, 0, inDevelopment.out)
})

test('types that nobody reads and a public that writes are pointed out', async (t) => {
  const folder = createProjectFolder(t, {
    [SCHEMA]: NOTE,
    'config/roles.json': { public: { 'api::note.note': ['create'] } },
  })
  const { code, out } = await octavo(['doctor', '--project', folder])
  assert.equal(code, 0)
  assert.match(out, /^! .*no role may read api::note\.note/m)
  assert.match(out, /^! .*anybody may create api::note\.note/m)
})

test('drafts that anybody may read are pointed out, and not those that are kept from the public', async (t) => {
  const folder = createProjectFolder(t, {
    ...NOTES,
    [SCHEMA]: { ...NOTE, options: { draftAndPublish: true } },
  })
  const args = ['doctor', '--project', folder, '--production']
  const { out } = await octavo(args)
  assert.match(
    out,
    /^! Permissions: anybody may read drafts of api::note\.note, without signing in\n.*-readDrafts/m,
  )
  writeFiles(folder, { 'config/roles.json': { public: { 'api::note.note': ['find', '-readDrafts'] } } })
  assert.doesNotMatch((await octavo(args)).out, /drafts/)
})

test('permissions that the content-types cannot follow are in the way', async (t) => {
  const folder = createProjectFolder(t, {
    [SCHEMA]: NOTE,
    'config/roles.json': {
      public: { 'api::note.note': ['fnd', { action: 'findOne', filters: { txt: 'x' } }] },
    },
  })
  const { code, out } = await octavo(['doctor', '--project', folder])
  assert.equal(code, 1)
  assert.match(out, /^✗ Permissions: .*roles\.public\.api::note\.note\.fnd: .*did you mean "find"\?/m)
  assert.match(out, /^✗ Permissions: .*filters of findOne: Invalid key txt; did you mean "text"\?/m)
  const started = await octavo(['start', '--project', folder, '--port', '0'])
  assert.equal(started.code, 1)
  assert.match(started.err, /Invalid key txt; did you mean "text"\?/)
})

test('a role for new users that is not there is in the way', async (t) => {
  const folder = createProjectFolder(t, {
    [SCHEMA]: NOTE,
    'config/roles.json': { ...ROLES, editor: { 'api::note.note': ['find'] } },
    'octavo.config.json': { auth: { registration: { role: 'editr' } } },
  })
  const { code, out } = await octavo(['doctor', '--project', folder])
  assert.equal(code, 1)
  assert.match(out, /^✗ .*registration\.role is "editr", .*did you mean "editor"\?/m)
  const started = await octavo(['start', '--project', folder, '--port', '0'])
  assert.equal(started.code, 1)
  assert.match(started.err, /unknown role "editr"; did you mean "editor"\?/)
})

test('a database, a bucket and a mail server that do not answer are in the way', async (t) => {
  const folder = createProjectFolder(t, {
    ...NOTES,
    'octavo.config.json': {
      upload: {
        s3: {
          bucket: 'none',
          region: 'eu-1',
          endpoint: 'http://127.0.0.1:1',
          accessKeyId: 'a',
          secretAccessKey: 'b',
        },
      },
      email: { smtp: 'smtp://127.0.0.1:1' },
    },
  })
  const { code, out } = await octavo([
    ...['doctor', '--project', folder, '--database', 'postgres://nobody:hidden@127.0.0.1:1/none'],
  ])
  assert.equal(code, 1)
  assert.match(out, /^✗ .*127\.0\.0\.1:1/m)
  assert.match(out, /^✗ Files: bucket none is unreachable/m)
  assert.match(out, /^✗ Mail/m)
  assert.doesNotMatch(out, /hidden/)
})

test('a folder for files that cannot be one is in the way', async (t) => {
  const folder = createProjectFolder(t, { ...NOTES, 'public/uploads': 'a file' })
  const { code, out } = await octavo(['doctor', '--project', folder])
  assert.equal(code, 1)
  assert.match(out, /^✗ Files: .*is not writable/m)
})

onEachEngine((engine) => {
  test('a change of the schema that waits to be applied is told', async (t) => {
    const folder = createProjectFolder(t, NOTES)
    const url = await engine.freshUrl()
    const server = await createServer({ project: folder, config: { database: { url } }, logLevel: 'silent' })
    await server.close()
    const args = ['doctor', '--project', folder, '--database', url]
    const inLine = await octavo(args)
    assert.equal(inLine.code, 0, inLine.out)
    assert.match(inLine.out, /^✓ Database: .*(SQLite|PostgreSQL) \d/m)
    assert.match(inLine.out, /^✓ Database: in line/m)
    const attributes = { text: { type: 'string' }, more: { type: 'text' } }
    writeFileSync(path.join(folder, SCHEMA), JSON.stringify({ ...NOTE, attributes }))
    const waiting = await octavo(args)
    assert.equal(waiting.code, 0, waiting.out)
    assert.match(waiting.out, /^! Database: the schema files have changed[^→]*more/m)
  })
})
