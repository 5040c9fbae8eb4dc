/** Servers under test: the command `octavo start` in its own process, as in production. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Use, useOf } from './resource-usage.ts'

const COMMAND = fileURLToPath(new URL('../../bin/octavo.js', import.meta.url))

/** Milliseconds a server has to shut down before it is killed. */
const PATIENCE = 30_000

export interface Subject {
  readonly address: string
  /** When the process was started, as `performance.now()`. */
  readonly began: number
  use(): Use | null
  stop(): Promise<void>
}

export interface Settings {
  readonly project: string
  readonly database: string
  readonly cache?: 'off' | 'on'
  readonly workers?: number
  readonly env?: Readonly<Record<string, string>>
}

/** Creates a token of an admin in a database that a server has open or has been filled by one. */
export async function createAdminToken(project: string, database: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[COMMAND, 'token', 'create', 'explain', '--admin', '--project', project, '--database', database],
  ])
  const token = /octavo_admin_[\w-]+/.exec(stdout)?.[0]
  if (!token) throw new Error('octavo token create printed no token')
  return token
}

/** Starts a server with NODE_ENV=production on a free port and waits until it listens. */
export async function startOctavo({
  project,
  database,
  cache = 'off',
  workers = 1,
  env = {},
}: Settings): Promise<Subject> {
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [
      ...[
        COMMAND,
        'start',
        '--project',
        project,
        '--database',
        database,
        '--host',
        '127.0.0.1',
        '--port',
        '0',
      ],
      ...['--workers', String(workers)],
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        OCTAVO_AUTH_SECRET: 'a secret for the benchmark, long enough',
        OCTAVO_CACHE_ENABLED: String(cache === 'on'),
        ...env,
      },
    },
  )
  const ended = once(child, 'exit')
  const lines = createInterface(child.stdout)
  const address = await Promise.race([
    new Promise<string>((resolve) => {
      lines.on('line', (line) => {
        const found = /(?:listens|is listening) on (http:\S+)/.exec(line)?.[1]
        if (found) resolve(found)
      })
    }),
    ended.then(([code]) => {
      throw new Error(`octavo start exited with code ${code}`)
    }),
  ])
  return {
    address,
    began,
    use: () => (child.pid === undefined ? null : useOf(child.pid)),
    async stop() {
      child.kill('SIGTERM')
      const last = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
      await ended
      clearTimeout(last)
    },
  }
}
