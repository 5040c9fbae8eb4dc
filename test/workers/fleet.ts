/** A server of several processes, as a person starts it, and connections of which each leads to one of them. */
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
  /** The process that has sent the response. */
  readonly worker: string
  at(...path: readonly (string | number)[]): unknown
}

export interface Wire {
  /** Sends a request over this connection; with full access unless another credential is given, or none. */
  ask(method: string, path: string, body?: unknown, token?: string | null): Promise<Reply>
  close(): void
}

export interface Fleet extends Pick<RunningCommand, 'child' | 'output' | 'exit'> {
  readonly base: string
  readonly folder: string
  readonly url: string
  /** A connection of its own. */
  wire(): Wire
  /** One connection to each of so many workers. */
  wires(count: number): Promise<readonly Wire[]>
  /** A command on the same project and database, in a process of its own. */
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
  const wire = () => createWire(base)
  return {
    child,
    base,
    folder,
    url,
    output,
    wire,
    async wires(count) {
      const found = new Map<string, Wire>()
      // Whoever has just been started may not listen yet.
      await waitUntil(async () => {
        const next = wire()
        const { worker } = await next.ask('GET', '/api/items')
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

function createWire(base: string): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { hostname, port } = new URL(base)
  return {
    ask: (method, path, body, token = TOKEN) =>
      new Promise((resolve, reject) => {
        const headers = {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        }
        const sent = request({ agent, hostname, port, method, path, headers }, (answer) => {
          let text = ''
          answer.setEncoding('utf8')
          answer.on('data', (chunk) => {
            text += chunk
          })
          answer.on('error', reject)
          answer.on('end', () => {
            const id = String(answer.headers['x-request-id'] ?? '')
            resolve({
              status: answer.statusCode ?? 0,
              text,
              worker: id.replace(/-[^-]*$/, ''),
              at: jsonAt(text),
            })
          })
        })
        // A connection that nobody has accepted yet when the last process closes its door is refused or reset.
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
