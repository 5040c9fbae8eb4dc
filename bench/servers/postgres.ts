/** A PostgreSQL server for the benchmark: the binaries of the tests with production durability settings. */
import pg from 'pg'
import { startOwnPostgres } from '../../test/support/postgres.ts'
import { type Use, useOf } from './resource-usage.ts'

export interface BenchPostgres {
  /** The URL of a new database: empty, or a copy of another one that has no open connections. */
  database(name: string, copyOf?: string): Promise<string>
  remove(name: string): Promise<void>
  /** Updates the planner statistics now; the server would do so within a minute. */
  analyze(name: string): Promise<void>
  /** Its memory and CPU time. */
  use(): Use | null
  stop(): Promise<void>
}

/** Starts a server. */
export async function startPostgres(): Promise<BenchPostgres> {
  const server = await startOwnPostgres({})
  const run = async (database: string, sql: string) => {
    const client = new pg.Client({ connectionString: server.url(database) })
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
  return {
    async database(name, copyOf) {
      await run('postgres', `CREATE DATABASE "${name}"${copyOf ? ` TEMPLATE "${copyOf}"` : ''}`)
      return server.url(name)
    },
    remove: (name) => run('postgres', `DROP DATABASE "${name}" WITH (FORCE)`),
    analyze: (name) => run(name, 'VACUUM ANALYZE'),
    use() {
      const pid = server.pid()
      return pid === undefined ? null : useOf(pid)
    },
    stop: () => server.stop(),
  }
}
