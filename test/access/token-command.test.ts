import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { request } from './client.ts'
import { PROJECT } from './project.ts'

onEachEngine((engine) => {
  let url: string
  let running: TestServer
  before(async () => {
    url = await engine.freshUrl()
    running = await serve(PROJECT, url)
  })
  after(() => running?.close())

  const token = (...args: string[]) =>
    octavo(['token', ...args, '--project', running.server.project.dir, '--database', url])

  const status = async (path: string, as: string) =>
    (await request(running.server, 'GET', path, { as })).status

  it('creates an admin token that works in the running server', async () => {
    const { code, out } = await token('create', '--admin')
    assert.equal(code, 0)
    assert.match(out, /^octavo_admin_[\w-]{43}\n$/)
    assert.equal(await status('/admin/api/tokens', out.trim()), 200)
  })

  it('creates a token of each type, lists it without its secret, and revokes it immediately', async () => {
    const permissions = join(running.server.project.dir, 'permissions.json')
    writeFileSync(permissions, JSON.stringify({ 'api::vault.vault': ['find'] }))
    const custom = await token('create', 'from the shell', '--type', 'custom', '--permissions', permissions)
    const secret = custom.out.trim()
    assert.equal(await status('/api/vaults', secret), 200)
    assert.equal(await status('/api/topics', secret), 403)
    const list = await token('list')
    assert.match(list.out, /custom +never used +from the shell/)
    assert.ok(!list.out.includes(secret))
    assert.equal((await token('revoke', 'from the shell')).code, 0)
    assert.equal(await status('/api/vaults', secret), 401)
  })

  it('reports errors in one line', async () => {
    const file = (name: string, content: unknown) => {
      const path = join(running.server.project.dir, name)
      writeFileSync(path, JSON.stringify(content))
      return path
    }
    const misspelt = file('misspelt.json', { 'api::valt.vault': ['find'] })
    const narrowed = file('narrowed.json', { 'api::note.note': [{ action: 'find', fields: ['titel'] }] })
    const custom = ['create', 'x', '--type', 'custom', '--permissions']
    for (const [args, message] of [
      [['create', 'x', '--type', 'custom'], /requires permissions: add --permissions/],
      [[...custom, misspelt], /Unknown content-type: api::valt\.vault; did you mean "api::vault\.vault"\?/],
      [[...custom, narrowed], /has no attribute titel; did you mean "title"\?/],
      [[...custom, file('text.json', 'find')], /must be JSON with a list of actions/],
      [[...custom, '/nowhere.json'], /Cannot read \/nowhere\.json/],
      [['create', 'far', '--expires', '3000000'], /cannot expire after the year 9999/],
      [['create', 'far', '--expires', '1e9'], /cannot expire after the year 9999/],
      [['create', 'full'], /token name full is already taken/],
      [['revoke', 'full'], /comes from the configuration/],
    ] as const) {
      const { code, out, err } = await token(...args)
      assert.equal(code, 1)
      assert.equal(out, '')
      assert.match(err, message)
      assert.equal(err.trim().split('\n').length, 1, err)
    }
  })
})
