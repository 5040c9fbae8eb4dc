import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../engines.ts'
import { serve, type TestServer } from '../serving.ts'
import { ask } from './asking.ts'
import { PROJECT } from './project.ts'

const COMMAND = new URL('../../src/cli/octavo.ts', import.meta.url).pathname

onEachEngine((engine) => {
  let url: string
  let running: TestServer
  before(async () => {
    url = await engine.freshUrl()
    running = await serve(PROJECT, url)
  })
  after(() => running?.close())

  const token = (...args: string[]) =>
    new Promise<{ ok: boolean; out: string; err: string }>((resolve) => {
      const { dir } = running.server.project
      const all = [COMMAND, 'token', ...args, '--project', dir, '--database', url]
      execFile(process.execPath, all, (failure, out, err) => resolve({ ok: failure === null, out, err }))
    })

  const status = async (path: string, as: string) => (await ask(running.server, 'GET', path, { as })).status

  it('makes an admin token that works in a server that is running', async () => {
    const { ok, out } = await token('create', '--admin')
    assert.ok(ok)
    assert.match(out, /^octavo_admin_[\w-]{43}\n$/)
    assert.equal(await status('/admin/api/tokens', out.trim()), 200)
  })

  it('makes a token of each kind, lists it without its value and revokes it at once', async () => {
    const permissions = join(running.server.project.dir, 'permissions.json')
    writeFileSync(permissions, JSON.stringify({ 'api::vault.vault': ['find'] }))
    const custom = await token('create', 'from the shell', '--type', 'custom', '--permissions', permissions)
    const secret = custom.out.trim()
    assert.equal(await status('/api/vaults', secret), 200)
    assert.equal(await status('/api/topics', secret), 403)
    const list = await token('list')
    assert.match(list.out, /custom +never used +from the shell/)
    assert.ok(!list.out.includes(secret))
    assert.ok((await token('revoke', 'from the shell')).ok)
    assert.equal(await status('/api/vaults', secret), 401)
  })

  it('says what is wrong in one line', async () => {
    const file = (name: string, content: unknown) => {
      const path = join(running.server.project.dir, name)
      writeFileSync(path, JSON.stringify(content))
      return path
    }
    const misspelt = file('misspelt.json', { 'api::valt.vault': ['find'] })
    const narrowed = file('narrowed.json', { 'api::note.note': [{ action: 'find', fields: ['titel'] }] })
    const custom = ['create', 'x', '--type', 'custom', '--permissions']
    for (const [args, message] of [
      [['create', 'x', '--type', 'custom'], /needs a list of permissions: add --permissions/],
      [[...custom, misspelt], /no content-type api::valt\.vault; did you mean "api::vault\.vault"\?/],
      [[...custom, narrowed], /has no attribute titel; did you mean "title"\?/],
      [[...custom, file('text.json', 'find')], /must be JSON of lists of actions/],
      [[...custom, '/nowhere.json'], /Cannot read the permissions in \/nowhere\.json/],
      [['create', 'full'], /already a token named full/],
      [['revoke', 'full'], /comes from the configuration/],
    ] as const) {
      const { ok, out, err } = await token(...args)
      assert.equal(ok, false)
      assert.equal(out, '')
      assert.match(err, message)
      assert.equal(err.trim().split('\n').length, 1, err)
    }
  })
})
