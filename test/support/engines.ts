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

/** Declares the suite once for each engine, for PostgreSQL on the newest and on the oldest version. */
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
      await onServer(version, async (client) => {
        for (const name of names) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      })
    }
  })
  return {
    name: 'postgres',
    dialect: postgresDialect,
    async freshUrl() {
      const name = `octavo_${randomBytes(8).toString('hex')}`
      await onServer(version, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`))
      names.push(name)
      const url = new URL(testServer(version))
      url.pathname = `/${name}`
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

async function onServer(version: PostgresVersion, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: testServer(version) })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
