/** A PgBouncer in front of the PostgreSQL server of the tests. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../support/free-port.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Why tests with PgBouncer cannot run; false if they can. CI installs it. */
export function whyNoPgBouncer(): string | false {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' })
    return false
  } catch {
    return 'pgbouncer is not installed: apt-get install pgbouncer (or brew install pgbouncer)'
  }
}

export interface PgBouncer {
  /** The URL of a database through the pooler. */
  through(url: string): string
  stop(): Promise<void>
}

/** Starts a pooler that shares a few connections to the server between all transactions. */
export async function startPgBouncer(server: string, settings: readonly string[] = []): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(server)
  const folder = mkdtempSync(join(tmpdir(), 'octavo-pgbouncer-'))
  const ownPort = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${hostname} port=${port} user=${username} password=${password}`,
      '[pgbouncer]',
      ...[`listen_addr = 127.0.0.1`, `listen_port = ${ownPort}`, 'unix_socket_dir =', 'auth_type = any'],
      ...['pool_mode = transaction', 'default_pool_size = 3', 'max_client_conn = 200', ...settings],
    ].join('\n'),
  )
  execFileSync('chmod', ['-R', 'a+rX', folder])
  // It refuses to run as root.
  const user = userInfo().uid === 0 ? ['-u', 'nobody'] : []
  const child: ChildProcess = spawn('pgbouncer', ['-q', ...user, file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const through = (url: string) => {
    const own = new URL(url)
    own.host = `127.0.0.1:${ownPort}`
    return own.href
  }
  await waitUntil(async () => {
    const client = new pg.Client({ connectionString: through(server) })
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  })
  return {
    through,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGINT')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
