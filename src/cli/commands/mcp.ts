/** `octavo mcp`: serves a project to an agent on this machine, over standard input and output. */

import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Command } from 'commander'
import { ApiError } from '../../errors.ts'
import { createServer, type OctavoServer } from '../../http/app.ts'
import { ownCommand } from '../../project/own-command.ts'
import { UsageError } from '../error-message.ts'
import { databaseOption, type ProjectOptions, projectOption, settingsOf } from '../options.ts'
import { rejectOtherFolder } from '../project.ts'
import { onShutdownSignal } from '../shutdown-signals.ts'

const TOKEN_VARIABLE = 'OCTAVO_MCP_TOKEN'

interface McpOptions extends ProjectOptions {
  readonly token?: string
  readonly readOnly?: boolean
}

/** Adds the command. */
export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description(
      'serve a project to an agent, with the Model Context Protocol over standard input and output',
    )
    .option(
      '--token <token>',
      `API token whose access the agent has; default: the variable ${TOKEN_VARIABLE}`,
    )
    .option('--read-only', 'offer only tools that read')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(serveMcp)
}

async function serveMcp(options: McpOptions): Promise<void> {
  logToStandardError()
  rejectOtherFolder(path.resolve(options.project))
  const server = await createServer({
    project: options.project,
    config: { ...settingsOf(options), ...(options.readOnly && { mcp: { readOnly: true } }) },
    logTo: process.stderr,
  })
  try {
    await serve(server, options)
  } catch (error) {
    await server.close()
    throw error
  }
}

async function serve(server: OctavoServer, { token }: McpOptions): Promise<void> {
  // The file .env of the project may set the variable, and is read with the project.
  const authorization = `Bearer ${token ?? process.env[TOKEN_VARIABLE] ?? ''}`
  await checkToken(server, authorization)
  const mcp = await server.openMcp()
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
  const { createLineTransport } = await import('../../http/mcp/line-transport.ts')
  const { bodyLimit: maxBytes } = server.project.config.mcp
  const stop = onShutdownSignal(async () => {
    await connection.close()
    await server.close()
  })
  const streams = { input: process.stdin, output: process.stdout }
  const transport = createLineTransport({ ...streams, maxBytes, onEnd: stop })
  const client = { address: () => '127.0.0.1', isDisconnected: () => false }
  const caller = { authorization, requestId: randomUUID, client, userAgent: 'octavo mcp' }
  const onerror = (error: Error) => server.log.warn(`Message refused: ${error.message}`)
  const connection = serveStdio(() => mcp.serverFor(caller), { transport, onerror })
}

/** The token is never printed. */
async function checkToken({ access }: OctavoServer, authorization: string): Promise<void> {
  try {
    if ((await access.callerOf(authorization)) !== null) return
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new UsageError(
      `The token is unknown, expired or revoked; create one with: ${ownCommand('token create')}`,
    )
  }
  throw new UsageError(
    `A token is required: pass --token or set ${TOKEN_VARIABLE}; create one with: ${ownCommand('token create')}`,
  )
}

/** Standard output carries the protocol: a line that the code of a project prints there would break it. */
function logToStandardError(): void {
  const { error } = console
  Object.assign(console, { log: error, info: error, debug: error })
}
