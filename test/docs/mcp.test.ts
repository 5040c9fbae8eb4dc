/** Connects with the configuration of each client in docs/mcp.md. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createServer, type OctavoServer } from '../../src/http/app.ts'
import { isObject } from '../../src/project/values.ts'
import { connect } from '../mcp/agent.ts'
import { COMMAND } from '../support/command.ts'
import { copyProject, writeFiles } from '../support/project-folder.ts'
import { stepsOf } from './page.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const page = readFileSync(path.join(ROOT, 'docs/mcp.md'), 'utf8')
const folder = mkdtempSync(path.join(tmpdir(), 'octavo-mcp-guide-'))
let server: OctavoServer
let token = ''

before(async () => {
  copyProject(path.join(ROOT, 'examples/restaurants'), folder)
  for (const step of stepsOf(page)) if (step.kind === 'file') writeFiles(folder, { [step.path]: step.text })
  server = await createServer({ project: folder, logLevel: 'silent', config: { server: { port: 0 } } })
  const address = await server.listen()
  const [custom] = blocksWith('"api::restaurant.restaurant"')
  assert.ok(custom !== undefined)
  const created = await server.access.tokens.create({
    name: 'agent',
    kind: 'custom',
    permissions: JSON.parse(custom),
  })
  token = created.secret
  values = { 'http://127.0.0.1:1337': address, '/path/to/my-site': folder, TOKEN: token }
})

after(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What a reader fills in. */
let values: Readonly<Record<string, string>> = {}

const filled = (text: string) =>
  Object.entries(values).reduce(
    (result, [name, value]) => result.replaceAll(name, value),
    text
      .replaceAll(/\$\{(env:OCTAVO_MCP_TOKEN|input:octavo-token)\}/g, token)
      .replaceAll('OCTAVO_MCP_TOKEN', '@'),
  )

const blocksWith = (text: string) =>
  [...page.matchAll(/```\w+[^\n]*\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.includes(text) ? [block] : [],
  )

function transportOf(entry: unknown): Transport {
  assert.ok(isObject(entry))
  const { command, args, url, headers } = entry
  if (typeof url === 'string' && isObject(headers))
    return new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: String(headers.Authorization) } },
    })
  assert.ok(command === 'npx' && Array.isArray(args) && args[0] === 'octavo')
  return new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, ...args.slice(1).map(String)],
    env: { OCTAVO_MCP_TOKEN: token },
    stderr: 'ignore',
  })
}

async function assertConnects(transport: Transport) {
  const agent = await connect(transport)
  const names = await agent.toolNames()
  assert.ok(names.includes('create_document') && !names.includes('publish_document'), names.join())
  await agent.close()
}

test('the configurations of clients connect an agent that has the access of the token', async () => {
  const blocks = [...blocksWith('"mcpServers"'), ...blocksWith('"servers"')]
  assert.equal(blocks.length, 3)
  for (const block of blocks) {
    const config: unknown = JSON.parse(filled(block))
    assert.ok(isObject(config))
    const servers = config.mcpServers ?? config.servers
    assert.ok(isObject(servers))
    await assertConnects(transportOf(servers.octavo))
  }
})

test('the command for Claude Code has the address and the header of the endpoint', async () => {
  const [block = ''] = blocksWith('claude mcp add')
  const [, url = '', authorization = ''] =
    /(http\S+) --header "Authorization: ([^"]+)"/.exec(filled(block)) ?? []
  await assertConnects(transportOf({ url, headers: { Authorization: authorization } }))
})

test('the guide names every tool', async () => {
  const { secret } = await server.access.tokens.create({ name: 'all', kind: 'full-access' })
  const agent = await connect(
    transportOf({ url: filled('http://127.0.0.1:1337/mcp'), headers: { Authorization: `Bearer ${secret}` } }),
  )
  for (const name of await agent.toolNames()) assert.ok(page.includes(`\`${name}\``), name)
  await agent.close()
})
