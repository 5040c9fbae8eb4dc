/** A server under test: its process, and how it is asked. */
import { type ChildProcess, fork } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { PROJECT } from '../test/reference/recording.ts'
import type { Wire } from './ask.ts'
import type { Answer } from './judge.ts'

/** No request may take longer. */
const DEADLINE_MS = 30_000

export interface Running {
  readonly base: string
  readonly admin: string
  readonly child: ChildProcess
  readonly folder: string
  readonly agent: Agent
  /** Why the process ended, when it has. */
  ended: string | null
}

/** Starts a server on a copy of the recorded project and waits until it listens. */
export async function start(databaseUrl: string): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-fuzz-'))
  cpSync(PROJECT, folder, { recursive: true })
  const child = fork(new URL('server.ts', import.meta.url), [folder, databaseUrl], {
    env: { ...process.env, NODE_ENV: 'development' },
  })
  const { address, admin } = await new Promise<{ address: string; admin: string }>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`A server ended with ${code} before it listened`)))
    child.once('message', (message) => resolve({ address: '', admin: '', ...Object(message) }))
  })
  const running: Running = {
    base: address,
    admin,
    child,
    folder,
    agent: new Agent({ keepAlive: true, maxSockets: 4 }),
    ended: null,
  }
  child.removeAllListeners('exit')
  child.once('exit', (code, signal) => {
    running.ended = `the process ended with ${code ?? signal}`
  })
  return running
}

/** Ends a server, unless it has ended by itself. */
export async function stop({ child, folder, agent, ended }: Running) {
  agent.destroy()
  if (ended === null) {
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.disconnect()
    await gone
  }
  rmSync(folder, { recursive: true, force: true })
}

/** The answer, or why there is none. */
export function send(running: Running, { method, target, headers, body }: Wire): Promise<Answer | string> {
  if (running.ended !== null) return Promise.resolve(running.ended)
  return new Promise((resolve) => {
    const { hostname, port } = new URL(running.base)
    const sent = request(
      { hostname, port, method, path: target, headers, agent: running.agent, timeout: DEADLINE_MS },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', (error) => resolve(`broken answer: ${error.message}`))
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
      resolve(`no answer in ${DEADLINE_MS} ms`)
      sent.destroy()
    })
    sent.on('error', (error) => resolve(running.ended ?? `broken connection: ${error.message}`))
    sent.end(body ?? undefined)
  })
}

const textOf = (bytes: Buffer, encoding: string | undefined): string =>
  (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8')
