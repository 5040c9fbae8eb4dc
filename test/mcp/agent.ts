/** An agent for tests: the client of the official SDK, and shorter ways to call tools. */
import assert from 'node:assert/strict'
import {
  Client,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client'
import { jsonAt } from '../support/json-body.ts'

export interface ToolResult {
  readonly isError: boolean
  readonly text: string
  /** The value at a path in the structured content, which is also the text. */
  at(...path: readonly (string | number)[]): unknown
}

export interface Agent {
  tools(): Promise<readonly Tool[]>
  toolNames(): Promise<readonly string[]>
  call(name: string, given?: Record<string, unknown>): Promise<ToolResult>
  /** Calls a tool and returns the value at a path in its result; fails if the tool does. */
  get(name: string, given: Record<string, unknown>, ...path: readonly (string | number)[]): Promise<unknown>
  close(): Promise<void>
}

type Version = 'legacy' | 'auto'

export async function connect(transport: Transport, version: Version = 'auto'): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: version } })
  await client.connect(transport)
  const call: Agent['call'] = async (name, given = {}) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: given })
    const [block] = content
    assert.ok(content.length === 1 && block?.type === 'text')
    assert.deepEqual(JSON.parse(block.text), structuredContent)
    return { isError: isError === true, text: block.text, at: jsonAt(block.text) }
  }
  return {
    tools: async () => (await client.listTools()).tools,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call,
    async get(name, given, ...path) {
      const { isError, text, at } = await call(name, given)
      assert.ok(!isError, text)
      return at(...path)
    },
    close: () => client.close(),
  }
}

/** Connects over HTTP. */
export const connectTo = (base: string, token: string, version?: Version): Promise<Agent> =>
  connect(
    new StreamableHTTPClientTransport(new URL('/mcp', base), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
    version,
  )
