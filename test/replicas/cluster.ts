/** A PostgreSQL primary and a standby that replicates it, from the same binaries as the server of the other tests. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../support/free-port.ts'
import { initialise, postgresProcess } from '../support/postgres-process.ts'
import { waitUntil } from '../support/wait-until.ts'

export interface ServerProcess {
  readonly url: string
  start(): Promise<void>
  /** Shuts it down regularly. */
  stop(): Promise<void>
  /** Ends it immediately, as a crash would. */
  crash(): Promise<void>
  /** Runs one statement and returns its rows. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>
}

export interface Cluster {
  readonly primary: ServerProcess
  readonly standby: ServerProcess
  /** Resolves when the standby has replayed everything that the primary has written so far. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

const run = promisify(execFile)

export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-cluster-'))
  // The user that PostgreSQL runs as needs access.
  await run('chmod', ['755', folder])
  const [primaryPort, standbyPort] = [await freePort(), await freePort()]
  await initialise('newest', join(folder, 'primary'), ['--no-sync'])
  await run('cp', ['-a', join(folder, 'primary'), join(folder, 'standby')])
  await writeFile(join(folder, 'standby', 'standby.signal'), '')
  const connection = `host=127.0.0.1 port=${primaryPort} user=octavo password=octavo`
  const primary = controlled(join(folder, 'primary'), primaryPort, [])
  const standby = controlled(join(folder, 'standby'), standbyPort, [`primary_conninfo=${connection}`])
  await primary.start()
  await standby.start()
  return {
    primary,
    standby,
    async caughtUp() {
      const [row] = await primary.query('SELECT pg_current_wal_flush_lsn() AS position')
      await waitUntil(() =>
        standby.query(`SELECT pg_last_wal_replay_lsn() >= '${row?.position}' AS caught_up`).then(
          ([replay]) => replay?.caught_up === true,
          () => false,
        ),
      )
    },
    async close() {
      await standby.stop()
      await primary.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const SETTINGS = [
  'fsync=off',
  'shared_buffers=32MB',
  'wal_keep_size=256MB',
  'wal_retrieve_retry_interval=200ms',
]

function controlled(directory: string, port: number, settings: readonly string[]): ServerProcess {
  const server = postgresProcess({ version: 'newest', directory, port, settings: [...SETTINGS, ...settings] })
  const url = server.url('postgres')
  return {
    ...server,
    url,
    async query(sql) {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows
      } finally {
        await client.end().catch(() => {})
      }
    },
  }
}
