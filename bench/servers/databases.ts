/** Benchmark databases on both engines: filled once, then copied, so that every server starts with the same content. */
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../options.ts'
import { type BenchPostgres, startPostgres } from './postgres.ts'
import type { Use } from './resource-usage.ts'

export interface Databases {
  readonly engine: Engine
  /** The URL of a new, empty database. */
  make(name: string): Promise<string>
  /** Call when a database is filled and closed: updates the planner statistics where the engine has any. */
  settle(name: string): Promise<void>
  /** The URL of a copy; no connection to the original may be open. */
  copy(of: string, name: string): Promise<string>
  remove(name: string): Promise<void>
  /** Memory and CPU time of the database server; null where there is none. */
  use(): Use | null
  stop(): Promise<void>
}

/** Databases of one engine; SQLite files are created in `folder`. */
export const openDatabases = async (engine: Engine, folder: string): Promise<Databases> =>
  engine === 'sqlite' ? files(folder) : onServer(await startPostgres())

function files(folder: string): Databases {
  const fileOf = (name: string) => join(folder, `${name}.db`)
  return {
    engine: 'sqlite',
    make: async (name) => `sqlite:${fileOf(name)}`,
    settle: async () => {},
    async copy(of, name) {
      if (existsSync(`${fileOf(of)}-wal`)) throw new Error(`${fileOf(of)} is open or was not closed properly`)
      copyFileSync(fileOf(of), fileOf(name))
      return `sqlite:${fileOf(name)}`
    },
    async remove(name) {
      for (const end of ['', '-wal', '-shm']) rmSync(fileOf(name) + end, { force: true })
    },
    use: () => null,
    stop: async () => {},
  }
}

const onServer = (server: BenchPostgres): Databases => ({
  engine: 'postgres',
  make: (name) => server.database(name),
  settle: (name) => server.analyze(name),
  copy: (of, name) => server.database(name, of),
  remove: (name) => server.remove(name),
  use: () => server.use(),
  stop: () => server.stop(),
})
