import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { COMMAND, octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { projectFolder, TOKEN } from '../support/project-server.ts'
import { type Agent, connect } from './agent.ts'
import { library } from './library.ts'

onEachEngine((engine) => {
  let folder: string
  let url: string
  const agents: Agent[] = []

  before(async () => {
    // A project that prints to standard output, which carries the protocol.
    folder = projectFolder({
      ...library,
      'octavo.config.ts': "console.log('loaded')\nexport default {}\n",
      'config/tokens.json': { full: { type: 'full-access', env: 'OCTAVO_MCP_TOKEN' } },
    })
    url = await engine.freshUrl()
  })

  after(async () => {
    for (const agent of agents) await agent.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const start = async (...more: readonly string[]): Promise<Agent> => {
    const agent = await connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [COMMAND, 'mcp', '--project', folder, '--database', url, ...more],
        env: { OCTAVO_MCP_TOKEN: TOKEN },
        stderr: 'ignore',
      }),
    )
    agents.push(agent)
    return agent
  }

  test('an agent writes and reads in the scope of its token, and with --read-only only reads', async () => {
    const agent = await start()
    const data = { title: 'From a terminal', blocks: [{ __component: 'block.quote', text: 'Hello' }] }
    const created = await agent.call('create_document', { type: 'articles', data, status: 'published' })
    assert.equal(created.at('data', 'title'), 'From a terminal', created.text)

    const reader = await start('--read-only')
    assert.deepEqual(await reader.toolNames(), [
      'describe_model',
      'find_documents',
      'get_document',
      'search_documents',
      'document_history',
    ])
    const described = { types: ['articles'] }
    const actions = await reader.get('describe_model', described, 'data', 'types', 0, 'actions')
    assert.deepEqual(actions, ['find', 'get', 'history'])
    const find = { type: 'articles', populate: ['blocks'] }
    assert.equal(await reader.get('find_documents', find, 'data', 0, 'blocks', 0, 'text'), 'Hello')
    const refused = await reader.call('delete_document', {
      type: 'articles',
      documentId: created.at('data', 'documentId'),
    })
    assert.ok(refused.isError)
    assert.match(refused.text, /read-only \(mcp.readOnly\)/)
    assert.match(String(refused.at('error', 'details', 'hint')), /whatever the credential permits/)
  })

  test('calls after which the input ends get a response', async () => {
    const clientInfo = { name: 'script', version: '1' }
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'find_documents', arguments: { type: 'articles' } } },
    ]
    const input = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message })).join('\n')
    const { code, out } = await octavo(['mcp', '--project', folder, '--database', url], {
      env: { OCTAVO_MCP_TOKEN: TOKEN },
      input,
    })
    assert.equal(code, 0)
    const answers = out.trim().split('\n')
    assert.equal(answers.length, 2, out)
    assert.match(answers[1] ?? '', /From a terminal/)
  })
})

test('octavo mcp needs a valid token, and does not print it', async () => {
  const folder = projectFolder({ ...library })
  const run = (token: string) =>
    octavo(['mcp', '--project', folder], { env: { OCTAVO_MCP_TOKEN: token, NODE_ENV: '' } })
  const missing = await run('')
  assert.equal(missing.code, 1)
  assert.match(missing.err, /A token is required: pass --token or set OCTAVO_MCP_TOKEN/)
  const wrong = await run('wrong-token-0123456789')
  assert.equal(wrong.code, 1)
  assert.match(wrong.err, /The token is unknown, expired or revoked/)
  assert.ok(!`${wrong.err}${wrong.out}`.includes('wrong-token'))
  assert.equal(missing.out + wrong.out, '')
  rmSync(folder, { recursive: true, force: true })
})
