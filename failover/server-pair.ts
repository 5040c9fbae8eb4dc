/** Two PostgreSQL servers: a primary, and a synchronous standby that takes its place when it fails. */
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../test/support/free-port.ts'
import { initialise, type PostgresProcess, postgresProcess } from '../test/support/postgres-process.ts'
import { waitUntil } from '../test/support/wait-until.ts'

export interface ServerPair {
  /** The URL that names both servers. */
  readonly url: string
  /** Runs a statement on the primary. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>
  /** Ends the primary without warning and promotes the standby. */
  failOver(): Promise<void>
  /** Shuts the standby down, while commits wait for it. */
  stopStandby(): Promise<void>
  /** Makes the former primary a synchronous standby of the present one. */
  restoreStandby(): Promise<void>
  close(): Promise<void>
}

const run = promisify(execFile)
const SETTINGS = [
  'fsync=off',
  'shared_buffers=32MB',
  'wal_keep_size=256MB',
  'wal_retrieve_retry_interval=200ms',
]

/** Starts both servers. Every commit waits for the standby. */
export async function startServerPair(): Promise<ServerPair> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-failover-'))
  // The user that PostgreSQL runs as needs access.
  await chmod(folder, 0o755)
  const ports = [await freePort(), await freePort()] as const
  const directories = [join(folder, 'a'), join(folder, 'b')] as const
  const server = (index: 0 | 1) =>
    postgresProcess({
      version: 'newest',
      directory: directories[index],
      port: ports[index],
      settings: [
        ...SETTINGS,
        `primary_conninfo=host=127.0.0.1 port=${ports[index === 0 ? 1 : 0]} user=octavo password=octavo`,
      ],
    })
  let primary = server(0)
  let standby = server(1)
  await initialise('newest', directories[0], ['--no-sync'])
  await primary.start()
  await copyPrimary(primary, standby.directory)
  await standby.start()
  await setSynchronous(primary, true)
  return {
    url: `postgres://octavo:octavo@${ports.map((port) => `127.0.0.1:${port}`).join()}/postgres`,
    query: (sql) => query(primary, sql),
    async failOver() {
      await primary.crash()
      const failed = primary
      primary = standby
      standby = failed
      await query(primary, 'SELECT pg_promote()')
      // As Patroni does: without a standby, commits wait for none.
      await setSynchronous(primary, false)
    },
    stopStandby: () => standby.stop(),
    async restoreStandby() {
      await rm(standby.directory, { recursive: true })
      await copyPrimary(primary, standby.directory)
      await standby.start()
      await setSynchronous(primary, true)
    },
    async close() {
      await standby.crash()
      await primary.crash()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function connected<Result>(server: PostgresProcess, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client({ connectionString: server.url('postgres') })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

const query = (server: PostgresProcess, sql: string) =>
  connected(server, async (client) => (await client.query<Record<string, unknown>>(sql)).rows)

/** Copies a running primary, as `pg_basebackup` would, into the folder of a standby. */
async function copyPrimary(primary: PostgresProcess, target: string) {
  const label = await connected(primary, async (client) => {
    await client.query(`SELECT pg_backup_start('standby', true)`)
    // Files may disappear while they are copied; the log that the standby receives makes up for it.
    await run('cp', ['-a', primary.directory, target]).catch(() => {})
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')
    return rows[0]?.labelfile ?? ''
  })
  await run('sh', ['-c', 'rm -rf postmaster.pid postmaster.opts pg_wal/[0-9A-F]*'], { cwd: target })
  await writeFile(join(target, 'backup_label'), label)
  await writeFile(join(target, 'standby.signal'), '')
  // The server renames the label, which it must be able to write.
  await chmod(join(target, 'backup_label'), 0o666)
}

/** Decides whether commits wait for the standby; if so, waits until it is connected. */
async function setSynchronous(primary: PostgresProcess, isSynchronous: boolean) {
  await query(primary, `ALTER SYSTEM SET synchronous_standby_names = '${isSynchronous ? '*' : ''}'`)
  await query(primary, 'SELECT pg_reload_conf()')
  if (!isSynchronous) return
  await waitUntil(async () => {
    const rows = await query(
      primary,
      `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'`,
    )
    return rows.length > 0
  })
}
