/**
 * Runs a suite of tests on SQLite and on PostgreSQL, each test with databases of its own. Suites in which versions of
 * PostgreSQL can differ run on the oldest one too.
 */
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import pg from 'pg'
import type { Dialect, EngineName } from '../../src/store/dialect.ts'
import { postgresDialect } from '../../src/store/postgres/dialect.ts'
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts'
import type { PostgresVersion } from './postgres-process.ts'

export interface TestEngine {
  readonly name: EngineName
  readonly dialect: Dialect
  /** The url of a new database without content, in which the server's own tables may exist; it is removed after the suite. */
  freshUrl(): Promise<string>
  /** Like `freshUrl`, for a database in which nothing exists. */
  emptyUrl(): Promise<string>
}

/** The database on the newest PostgreSQL that `freshUrl` copies. */
export const POSTGRES_TEMPLATE = 'octavo_template'

/** Declares the suite once for each engine. */
export function onEachEngine(suite: (engine: TestEngine) => void) {
  describe('on SQLite', () => suite(sqliteEngine()))
  describe('on PostgreSQL', () => suite(postgresEngine()))
}

/**
 * Declares the suite once for each engine, for PostgreSQL on the newest and on the oldest version. The databases on the
 * oldest also have another collation and another schema.
 */
export function onEachEngineVersion(suite: (engine: TestEngine) => void) {
  onEachEngine(suite)
  describe('on the oldest PostgreSQL', () => suite(postgresEngine('oldest')))
}

/** For suites that hold the engines against each other; to be called where a suite is declared. */
export const bothEngines = (): readonly [TestEngine, TestEngine] => [sqliteEngine(), postgresEngine()]

/** Like `bothEngines`, with the oldest version of PostgreSQL as the third. */
export const allEngineVersions = (): readonly TestEngine[] => [...bothEngines(), postgresEngine('oldest')]

function sqliteEngine(): TestEngine {
  const directory = mkdtempSync(join(tmpdir(), 'octavo-test-'))
  let databases = 0
  const newFile = () => join(directory, `${++databases}.db`)
  after(() => rmSync(directory, { recursive: true, force: true }))
  return {
    name: 'sqlite',
    dialect: sqliteDialect,
    async freshUrl() {
      const file = newFile()
      copyFileSync(started('OCTAVO_TEST_SQLITE_TEMPLATE'), file)
      return `sqlite:${file}`
    },
    emptyUrl: async () => `sqlite:${newFile()}`,
  }
}

function postgresEngine(version: PostgresVersion = 'newest'): TestEngine {
  const names: string[] = []
  after(async () => {
    if (names.length > 0) {
      await onServer(testServer(version), async (client) => {
        for (const name of names) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      })
    }
  })
  /** The url of a new database that `create` creates. */
  async function newDatabase(create: (name: string, url: string) => Promise<void>) {
    const name = `octavo_${randomBytes(8).toString('hex')}`
    names.push(name)
    const url = new URL(testServer(version))
    url.pathname = `/${name}`
    await create(name, url.href)
    return url.href
  }
  const copyOf = (template: string) => (name: string) =>
    onServer(testServer(version), (client) =>
      client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`),
    )
  const isNewest = version === 'newest'
  return {
    name: 'postgres',
    dialect: postgresDialect,
    freshUrl: () => newDatabase(isNewest ? copyOf(POSTGRES_TEMPLATE) : createUnusualDatabase),
    emptyUrl: () => newDatabase(isNewest ? copyOf('template0') : createUnusualDatabase),
  }
}

/** The url of a PostgreSQL server that the test command has started. */
export const testServer = (version: PostgresVersion = 'newest'): string =>
  started(version === 'newest' ? 'OCTAVO_TEST_POSTGRES' : 'OCTAVO_TEST_OLDEST_POSTGRES')

/** What the test command has started or created, and passes on in the environment. */
function started(variable: string): string {
  const value = process.env[variable]
  if (!value) throw new Error('Tests need the databases that the test command creates: npm test -- <file>')
  return value
}

/** A database that sorts by the rules of a language, with a schema other than `public`. PostgreSQL 14 has no such default. */
async function createUnusualDatabase(name: string, url: string) {
  await onServer(testServer('oldest'), async (client) => {
    const { rows } = await client.query(
      `SELECT current_setting('server_version_num')::int >= 150000 AS has_icu`,
    )
    const locale = rows[0]?.has_icu ? `LOCALE_PROVIDER icu ICU_LOCALE 'en-US'` : `LOCALE 'C.UTF-8'`
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0 ${locale}`)
    await client.query(`ALTER DATABASE ${name} SET search_path = "own tables", public`)
  })
  await onServer(url, (client) => client.query('CREATE SCHEMA "own tables"'))
}

/** Calls `work` with a connection that is closed afterwards. */
export async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
