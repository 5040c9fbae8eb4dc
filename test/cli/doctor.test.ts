/** `octavo doctor` reports problems and changes nothing. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createServer } from '../../src/http/app.ts'
import { startError } from '../../src/store/sqlite/failures.ts'
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

test('a valid project has no findings and is not changed', async (t) => {
  const folder = createProjectFolder(t, NOTES)
  const { code, out } = await octavo(['doctor', '--project', folder])
  assert.equal(code, 0, out)
  assert.match(out, /^✓ Node/m)
  assert.match(out, /^0 errors, 0 warnings$/m)
  assert.doesNotMatch(out, /^[!✗]/m)
  assert.ok(!existsSync(path.join(folder, '.octavo')))
})

test('a folder that is not a project is an error', async (t) => {
  const folder = createProjectFolder(t, { 'notes.txt': 'hello' })
  const { code, out } = await octavo(['doctor', '--project', folder])
  assert.equal(code, 1)
  assert.match(out, /^✗ .* is not a project: /m)
  assert.match(out, /--project.*npm run octavo -- new/)
  assert.doesNotMatch(out, /0 errors/)
})

test('errors in files are reported with their location and a suggestion', async (t) => {
  const folder = createProjectFolder(t, { [SCHEMA]: { ...NOTE, attributes: { text: { type: 'strng' } } } })
  const { code, out } = await octavo(['doctor', '--project', folder])
  assert.equal(code, 1)
  assert.match(out, /^✗ .*schema\.json: attributes\.text.*did you mean "string"\?/m)
})

test('an unknown action in hooks or policies is an error', async (t) => {
  const config = (extend: string) => ({
    ...NOTES,
    'octavo.config.mjs': `export default { extend: ${extend} }`,
  })
  for (const [extend, expected] of [
    ['{ policies: { "api::note.note": { fnid: () => false } } }', /^✗ Extension: .*did you mean "find"\?/m],
    ['{ policy: {} }', /^✗ Extension: extend takes hooks, find, policies, routes/m],
  ] as const) {
    const { code, out } = await octavo(['doctor', '--project', createProjectFolder(t, config(extend))])
    assert.equal(code, 1, out)
    assert.match(out, expected)
  }
})

test('production requires a secret, no development tokens, and mail', async (t) => {
  const folder = createProjectFolder(t, {
    ...NOTES,
    'config/tokens.json': {
      development: { type: 'full-access', token: `for-development-only-${'x'.repeat(20)}` },
      copied: { type: 'read-only', env: 'COPIED_TOKEN' },
    },
  })
  const { code, out } = await octavo(['doctor', '--project', folder], {
    env: { NODE_ENV: 'production', COPIED_TOKEN: `for-development-only-${'y'.repeat(20)}` },
  })
  assert.equal(code, 1)
  assert.match(out, /^✗ Tokens: the full-access token development is for development/m)
  assert.match(out, /^✗ Tokens: the read-only token copied .* begins with for-development-only-/m)
  const started = await octavo(['start', '--project', folder, '--port', '0'], {
    env: { NODE_ENV: 'production', OCTAVO_AUTH_SECRET: 'a secret that is long enough for this test' },
  })
  assert.equal(started.code, 1)
  assert.match(
    started.err,
    /The token development is for development.*with "env".*npm run octavo -- token create/,
  )
  assert.match(out, /^✗ Sign-in: auth\.secret is required/m)
  assert.match(out, /^! Mail/m)
  const inDevelopment = await octavo(['doctor', '--project', folder])
  assert.equal(inDevelopment.code, 0, inDevelopment.out)
})

test('content-types that no role can read and public writes are warnings', async (t) => {
  const folder = createProjectFolder(t, {
    [SCHEMA]: NOTE,
    'config/roles.json': { public: { 'api::note.note': ['create'] } },
  })
  const { code, out } = await octavo(['doctor', '--project', folder])
  assert.equal(code, 0)
  assert.match(out, /^! .*no role can read api::note\.note/m)
  assert.match(out, /^! .*anonymous callers can create api::note\.note/m)
})

test('drafts that anonymous callers can read are a warning', async (t) => {
  const folder = createProjectFolder(t, {
    ...NOTES,
    [SCHEMA]: { ...NOTE, options: { draftAndPublish: true } },
  })
  const args = ['doctor', '--project', folder, '--production']
  const { out } = await octavo(args)
  assert.match(out, /^! Permissions: anonymous callers can read drafts of api::note\.note\n.*-readDrafts/m)
  writeFiles(folder, { 'config/roles.json': { public: { 'api::note.note': ['find', '-readDrafts'] } } })
  assert.doesNotMatch((await octavo(args)).out, /drafts/)
})

test('an invalid permission in the configuration is an error', async (t) => {
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

test('an unknown role for new users is an error', async (t) => {
  const folder = createProjectFolder(t, {
    [SCHEMA]: NOTE,
    'config/roles.json': { ...ROLES, editor: { 'api::note.note': ['find'] } },
    'octavo.config.json': { auth: { registration: { role: 'editr' } } },
  })
  const { code, out } = await octavo(['doctor', '--project', folder])
  assert.equal(code, 1)
  assert.match(out, /^✗ .*registration\.role is the unknown role "editr".*did you mean "editor"\?/m)
  const started = await octavo(['start', '--project', folder, '--port', '0'])
  assert.equal(started.code, 1)
  assert.match(started.err, /unknown role "editr"; did you mean "editor"\?/)
})

test('an unreachable database, bucket or SMTP server is an error', async (t) => {
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

test('a database that is damaged or locked comes with what to do about it', async (t) => {
  const folder = createProjectFolder(t, { ...NOTES, 'damaged.db': 'not a database '.repeat(100) })
  const checked = async (name: string) => {
    const database = `sqlite:${path.join(folder, name)}`
    return (await octavo(['doctor', '--project', folder, '--database', database])).out
  }
  assert.match(
    await checked('damaged.db'),
    /^✗ .*damaged.*\n {2}→ restore a backup, or correct database.url$/m,
  )
  const other = new DatabaseSync(path.join(folder, 'locked.db'))
  other.exec('create table notes (id integer); begin exclusive')
  try {
    assert.match(await checked('locked.db'), /^✗ .*locked by another program\n {2}→ stop the other program/m)
  } finally {
    other.close()
  }
  const full = startError('/srv/content.db', { message: 'database or disk is full', code: 13 })
  assert.deepEqual(
    [full.message, full.remedy],
    ['The disk of the database /srv/content.db is full', 'make room on the disk'],
  )
})

test('an upload folder that is not writable is an error', async (t) => {
  const folder = createProjectFolder(t, { ...NOTES, 'public/uploads': 'a file' })
  const { code, out } = await octavo(['doctor', '--project', folder])
  assert.equal(code, 1)
  assert.match(out, /^✗ Files: .*is not writable/m)
})

onEachEngine((engine) => {
  test('a pending schema change is a warning', async (t) => {
    const folder = createProjectFolder(t, NOTES)
    const url = await engine.freshUrl()
    const server = await createServer({ project: folder, config: { database: { url } }, logLevel: 'silent' })
    await server.close()
    const args = ['doctor', '--project', folder, '--database', url]
    const upToDate = await octavo(args)
    assert.equal(upToDate.code, 0, upToDate.out)
    assert.match(upToDate.out, /^✓ Database: .*(SQLite|PostgreSQL) \d/m)
    assert.match(upToDate.out, /^✓ Database: up to date/m)
    const attributes = { text: { type: 'string' }, more: { type: 'text' } }
    writeFileSync(path.join(folder, SCHEMA), JSON.stringify({ ...NOTE, attributes }))
    const pending = await octavo(args)
    assert.equal(pending.code, 0, pending.out)
    assert.match(pending.out, /^! Database: the schema files have changed[^→]*more/m)
  })
})

test('a required attribute of users that registration does not accept is a warning', async (t) => {
  const folder = createProjectFolder(t, {
    ...NOTES,
    'src/extensions/users-permissions/content-types/user/schema.json': {
      attributes: { nickname: { type: 'string', required: true } },
    },
  })
  const { code, out } = await octavo(['doctor', '--project', folder])
  assert.equal(code, 0, out)
  assert.match(
    out,
    /^! Sign-in: nobody can register, because users must have nickname .*\n.*auth\.registration\.fields/m,
  )
})
