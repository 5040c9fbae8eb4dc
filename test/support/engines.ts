/**
 * Runs a suite of tests on SQLite and on PostgreSQL, each test with databases of its own. Suites in which versions of
 * PostgreSQL can differ run on the oldest one too.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
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
  /** The url of a new, empty database; it is removed after the suite. */
  freshUrl(): Promise<string>
}

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
  after(() => rmSync(directory, { recursive: true, force: true }))
  return {
    name: 'sqlite',
    dialect: sqliteDialect,
    freshUrl: async () => `sqlite:${join(directory, `${++databases}.db`)}`,
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
  return {
    name: 'postgres',
    dialect: postgresDialect,
    async freshUrl() {
      const name = `octavo_${randomBytes(8).toString('hex')}`
      names.push(name)
      const url = new URL(testServer(version))
      url.pathname = `/${name}`
      if (version === 'oldest') await createUnusualDatabase(name, url.href)
      else
        await onServer(testServer(version), (client) =>
          client.query(`CREATE DATABASE ${name} TEMPLATE template0`),
        )
      return url.href
    },
  }
}

/** The url of a PostgreSQL server that the test command has started. */
export function testServer(version: PostgresVersion = 'newest'): string {
  const url = process.env[version === 'newest' ? 'OCTAVO_TEST_POSTGRES' : 'OCTAVO_TEST_OLDEST_POSTGRES']
  if (!url) throw new Error('Tests need the PostgreSQL that the test command starts: npm test -- <file>')
  return url
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

async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
