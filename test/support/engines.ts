/** Runs a suite of tests on SQLite and on PostgreSQL, each test with databases of its own. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import pg from 'pg'
import type { Dialect, EngineName } from '../../src/store/dialect.ts'
import { postgresDialect } from '../../src/store/postgres/dialect.ts'
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts'

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

/** For suites that hold the engines against each other; to be called where a suite is declared. */
export const bothEngines = (): readonly [TestEngine, TestEngine] => [sqliteEngine(), postgresEngine()]

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

function postgresEngine(): TestEngine {
  const names: string[] = []
  after(async () => {
    if (names.length > 0) {
      await onServer(async (client) => {
        for (const name of names) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      })
    }
  })
  return {
    name: 'postgres',
    dialect: postgresDialect,
    async freshUrl() {
      const name = `octavo_${randomBytes(8).toString('hex')}`
      await onServer((client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`))
      names.push(name)
      const url = new URL(testServer())
      url.pathname = `/${name}`
      return url.href
    },
  }
}

/** The url of the PostgreSQL server that the test command has started. */
export function testServer(): string {
  const url = process.env.OCTAVO_TEST_POSTGRES
  if (!url) throw new Error('Tests need the PostgreSQL that the test command starts: npm test -- <file>')
  return url
}

async function onServer(work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: testServer() })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
