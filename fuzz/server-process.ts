/** A server under test: its process, and a function that sends requests to it. */
import { Agent, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { startProcess } from '../test/reference/server-process.ts'
import type { Response } from './check-response.ts'
import type { WireRequest } from './request.ts'

/** Request timeout. */
const DEADLINE_MS = 30_000

export interface ServerProcess {
  readonly base: string
  readonly admin: string
  readonly agent: Agent
  /** Why the process ended, if it has. */
  ended(): string | null
  /** Ends the process if it is still running. */
  stop(): Promise<void>
}

/** Starts a server on a copy of the reference project and waits until it listens. */
export async function startServer(databaseUrl: string): Promise<ServerProcess> {
  const {
    firstMessage: told,
    exitReason: ended,
    stop,
  } = await startProcess(new URL('server.ts', import.meta.url), databaseUrl, {
    env: { ...process.env, NODE_ENV: 'development' },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  return {
    base: String(told.address),
    admin: String(told.admin),
    agent,
    ended,
    stop() {
      agent.destroy()
      return stop()
    },
  }
}

/** The response, or why there is none. */
export function send(
  running: ServerProcess,
  { method, target, headers, body }: WireRequest,
): Promise<Response | string> {
  const ended = running.ended()
  if (ended !== null) return Promise.resolve(ended)
  return new Promise((resolve) => {
    const { hostname, port } = new URL(running.base)
    const sent = request(
      { hostname, port, method, path: target, headers, agent: running.agent, timeout: DEADLINE_MS },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', (error) => resolve(`broken response: ${error.message}`))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: textOf(Buffer.concat(chunks), response.headers['content-encoding']),
          }),
        )
      },
    )
    sent.on('timeout', () => {
      resolve(`no response within ${DEADLINE_MS} ms`)
      sent.destroy()
    })
    sent.on('error', (error) => resolve(running.ended() ?? `broken connection: ${error.message}`))
    sent.end(body ?? undefined)
  })
}

const textOf = (bytes: Buffer, encoding: string | undefined): string =>
  (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8')
