/** A PostgreSQL primary and standbys that replicate it, from the same binaries as the server of the other tests. */
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
  /** The same as `standby`, unless there are two. */
  readonly lastStandby: ServerProcess
  /** Resolves when every standby has replayed everything that the primary has written so far. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

const run = promisify(execFile)

/** Starts a primary with one or two standbys. */
export async function startCluster(standbyCount: 1 | 2 = 1): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-cluster-'))
  // The user that PostgreSQL runs as needs access.
  await run('chmod', ['755', folder])
  const primaryPort = await freePort()
  await initialise('newest', join(folder, 'primary'), ['--no-sync'])
  const connection = `host=127.0.0.1 port=${primaryPort} user=octavo password=octavo`
  const createStandby = async (name: string) => {
    await run('cp', ['-a', join(folder, 'primary'), join(folder, name)])
    await writeFile(join(folder, name, 'standby.signal'), '')
    return controlled(join(folder, name), await freePort(), [`primary_conninfo=${connection}`])
  }
  const primary = controlled(join(folder, 'primary'), primaryPort, [])
  const standby = await createStandby('standby')
  const lastStandby = standbyCount === 1 ? standby : await createStandby('last-standby')
  const standbys = new Set([standby, lastStandby])
  await primary.start()
  for (const each of standbys) await each.start()
  return {
    primary,
    standby,
    lastStandby,
    async caughtUp() {
      // Its commit flushes what others have inserted, which would be lost if the primary crashed.
      await primary.query(`SELECT pg_logical_emit_message(true, 'test', '')`)
      const [row] = await primary.query('SELECT pg_current_wal_flush_lsn() AS position')
      for (const each of standbys)
        await waitUntil(() =>
          each.query(`SELECT pg_last_wal_replay_lsn() >= '${row?.position}' AS caught_up`).then(
            ([replay]) => replay?.caught_up === true,
            () => false,
          ),
        )
    },
    async close() {
      for (const each of standbys) await each.stop()
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
