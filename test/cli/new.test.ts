/** `octavo new`: the project it creates is ready to start. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { createServer } from '../../src/http/app.ts'
import { octavo, trackProcess } from '../support/command.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'octavo-new-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const read = (folder: string, file: string) => readFileSync(path.join(folder, file), 'utf8')

const started = (folder: string) => createServer({ project: folder, logLevel: 'silent' })

test('a new project starts, lets the public read published content and its token write', async () => {
  const folder = path.join(scratch, 'usual')
  const ended = await octavo(['new', folder, '--yes'])
  assert.equal(ended.code, 0, ended.err)
  const { token } = JSON.parse(read(folder, 'config/tokens.json')).development
  assert.ok(token.length > 40)
  assert.equal(statSync(path.join(folder, 'config/tokens.json')).mode & 0o777, 0o600)
  assert.match(read(folder, '.gitignore'), /^config\/tokens\.json\n\.env$/m)
  assert.ok(ended.out.includes(token), 'the token is printed')
  const { public: everyone, authenticated } = JSON.parse(read(folder, 'config/roles.json'))
  assert.deepEqual(authenticated, everyone, 'signing in loses no permission')
  const { name, dependencies, scripts } = JSON.parse(read(folder, 'package.json'))
  assert.deepEqual([name, scripts.dev, scripts.start], ['usual', 'octavo dev', 'octavo start'])
  assert.match(dependencies.octavo, /^\^\d/)
  assert.ok(
    !read(folder, 'README.md').includes(token),
    'the README goes to version control, the token does not',
  )
  assert.match(read(folder, 'README.md'), /^npm run octavo -- dev --project FOLDER$/m)

  const server = await started(folder)
  try {
    const made = await server.app.inject({
      method: 'POST',
      url: '/api/articles',
      headers: { authorization: `Bearer ${token}` },
      payload: { data: { title: 'Hello' } },
    })
    assert.equal(made.statusCode, 201, made.payload)
    const listed = await server.app.inject({ method: 'GET', url: '/api/articles' })
    assert.equal(listed.json().data[0].slug, 'hello')
    const misspelled = await server.app.inject({ method: 'GET', url: '/api/articles?sorted=title' })
    assert.equal(misspelled.statusCode, 400)
    const refused = await server.app.inject({ method: 'POST', url: '/api/articles', payload: { data: {} } })
    assert.equal(refused.statusCode, 403)
    const drafts = { method: 'GET', url: '/api/articles?status=draft' } as const
    assert.equal((await server.app.inject(drafts)).statusCode, 403)
    const own = await server.app.inject({ ...drafts, headers: { authorization: `Bearer ${token}` } })
    assert.equal(own.json().data[0].slug, 'hello')
    const modeOf = (file: string) => statSync(path.join(folder, file)).mode & 0o777
    for (const file of ['.env', '.octavo/.gitignore', '.octavo/data.db', '.octavo/auth-secret'])
      assert.equal(modeOf(file), 0o600, file)
    assert.equal(read(folder, '.octavo/.gitignore'), '*\n')
  } finally {
    await server.close()
  }
})

test('the printed command starts the project', async () => {
  const folder = path.join(scratch, 'printed here')
  const { out } = await octavo(['new', folder, '--yes'])
  const line = out.trim().split('\n').at(-1) ?? ''
  const start = `exec ${line.trim().replace(/^npm run octavo --/, 'node bin/octavo.js')} --port 0`
  const server = trackProcess(spawn('sh', ['-c', start]))
  try {
    assert.equal((await fetch(`${await server.address()}/api/articles`)).status, 200)
  } finally {
    assert.equal(await server.stop(), 0)
  }
})

test('a project can be empty, and have several locales', async () => {
  const folder = path.join(scratch, 'empty')
  const ended = await octavo([
    'new',
    folder,
    '--yes',
    '--empty',
    '--locales',
    'fr, pt-BR',
    '--name',
    'Café Noir',
  ])
  assert.equal(ended.code, 0, ended.err)
  assert.equal(JSON.parse(read(folder, 'package.json')).name, 'cafe-noir')
  const server = await started(folder)
  try {
    assert.deepEqual(server.project.config.locales, { default: 'fr', locales: ['fr', 'pt-BR'], names: {} })
    assert.equal(server.project.model.endpoints.size, 0)
  } finally {
    await server.close()
  }
})

test('options that are not given are asked for, and input can be piped', async () => {
  const folder = path.join(scratch, 'asked')
  const ended = await octavo(['new', folder], { input: 'My site\nno\nen,it\n' })
  assert.equal(ended.code, 0, ended.err)
  assert.match(read(folder, 'README.md'), /^# My site$/m)
  assert.match(read(folder, 'octavo.config.ts'), /locales: \['en', 'it'\]/)
  assert.deepEqual(JSON.parse(read(folder, 'config/roles.json')), { public: {}, authenticated: {} })
})

test('a folder with files in it is rejected', async () => {
  const folder = path.join(scratch, 'full')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'notes.txt'), 'mine')
  const ended = await octavo(['new', folder, '--yes'])
  assert.equal(ended.code, 1)
  assert.match(ended.err, /not empty \(it contains notes\.txt\)/)
})

test('an invalid locale is rejected', async () => {
  const ended = await octavo(['new', path.join(scratch, 'klingon'), '--yes', '--locales', "en';x"])
  assert.equal(ended.code, 1)
  assert.match(ended.err, /is not a locale code/)
})
