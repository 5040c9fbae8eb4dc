/** A PostgreSQL server of its own for tests and benchmarks. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { initialise, type PostgresVersion, postgresProcess } from './postgres-process.ts'

export interface OwnPostgres {
  /** The URL of one of its databases; `postgres` exists from the start. */
  url(database: string): string
  /** The id of its main process. */
  pid(): number | undefined
  stop(): Promise<void>
}

/** Starts a server that only this machine reaches, in a folder that is removed when it stops. */
export async function startOwnPostgres({
  version = 'newest',
  settings = [],
  flags = [],
}: {
  readonly version?: PostgresVersion
  /** Such as `fsync=off`. */
  readonly settings?: readonly string[]
  /** Further flags of `initdb`. */
  readonly flags?: readonly string[]
}): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-postgres-'))
  // The user that PostgreSQL runs as needs access.
  await chmod(folder, 0o755)
  const directory = join(folder, 'data')
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await initialise(version, directory, flags)
    const server = postgresProcess({ version, directory, port: await freePort(), settings })
    await server.start()
    return {
      url: server.url,
      pid: server.pid,
      async stop() {
        await server.stop()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
