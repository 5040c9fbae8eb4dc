/** A server of several processes, started by its command, and connections to its workers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { launch, octavo, type RunningCommand } from '../support/command.ts'
import { jsonAt } from '../support/json-body.ts'
import type { Files } from '../support/project-folder.ts'
import { collection, projectFolder, string, TOKEN, typeFile } from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'

export interface Reply {
  readonly status: number
  readonly text: string
  /** The worker that sent the response. */
  readonly worker: string
  at(...path: readonly (string | number)[]): unknown
}

export interface Connection {
  /** Sends a request over this connection: with full access by default, with `token`, or anonymously with null. */
  request(method: string, path: string, body?: unknown, token?: string | null): Promise<Reply>
  close(): void
}

export interface Fleet extends Pick<RunningCommand, 'child' | 'output' | 'exit'> {
  readonly base: string
  readonly folder: string
  readonly url: string
  /** Opens a connection, which some worker accepts. */
  connect(): Connection
  /** Opens one connection to each of `count` workers. */
  connectToWorkers(count: number): Promise<readonly Connection[]>
  /** Runs a command on the same project and database. */
  command(...args: readonly string[]): ReturnType<typeof octavo>
  /** Process ids of the workers. */
  pids(): Promise<readonly number[]>
  stop(): Promise<number | null>
}

const FILES: Files = {
  [typeFile('item')]: collection('item', { name: string, code: string }),
  [typeFile('page')]: collection('page', { text: string }),
  'config/roles.json': { public: { 'api::item.item': ['find', 'findOne'] } },
}

export interface FleetOptions {
  readonly workers: number
  readonly files?: Files
  readonly env?: NodeJS.ProcessEnv
}

/** Starts `octavo start --workers`, without waiting for it. */
export function launchFleet(url: string, { workers, files = {}, env = {} }: FleetOptions) {
  const folder = projectFolder({ ...FILES, ...files })
  const common = ['--project', folder, '--database', url]
  const args = ['start', '--port', '0', '--workers', String(workers), ...common]
  const remove = () => rmSync(folder, { recursive: true, force: true })
  return { ...launch(args, env), folder, common, remove }
}

/** Starts a server and resolves when it listens. */
export async function startFleet(url: string, options: FleetOptions): Promise<Fleet> {
  const { child, folder, common, output, address, exit, stop, remove } = launchFleet(url, options)
  const base = await address()
  const connect = () => openConnection(base)
  return {
    child,
    base,
    folder,
    url,
    output,
    connect,
    async connectToWorkers(count) {
      const found = new Map<string, Connection>()
      // A worker that has just started may not listen yet.
      await waitUntil(async () => {
        const next = connect()
        const { worker } = await next.request('GET', '/api/items')
        if (found.has(worker)) next.close()
        else found.set(worker, next)
        return found.size === count
      })
      return [...found.values()]
    },
    command: (...args) => octavo([...args, ...common]),
    async pids() {
      const lines = await outputOf('ps', ['--ppid', String(child.pid), '-o', 'pid='])
      return lines.trim().split(/\s+/).filter(Boolean).map(Number)
    },
    exit,
    async stop() {
      const code = await stop()
      remove()
      return code
    },
  }
}

function openConnection(base: string): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { hostname, port } = new URL(base)
  return {
    request: (method, path, body, token = TOKEN) =>
      new Promise((resolve, reject) => {
        const headers = {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        }
        const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('error', reject)
          response.on('end', () => {
            const id = String(response.headers['x-request-id'] ?? '')
            resolve({
              status: response.statusCode ?? 0,
              text,
              worker: id.replace(/-[^-]*$/, ''),
              at: jsonAt(text),
            })
          })
        })
        // A connection that no worker has accepted when the last one stops listening is refused or reset.
        sent.on('error', (error) => reject(Object.assign(error, { isNew: !sent.reusedSocket })))
        sent.end(body === undefined ? undefined : JSON.stringify(body))
      }),
    close: () => agent.destroy(),
  }
}

async function outputOf(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args)
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += String(chunk)
  })
  await once(child, 'close')
  return text
}
