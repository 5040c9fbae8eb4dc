/** Servers behind a real PgBouncer that shares its connections between transactions. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import { sql } from '../../src/store/sql.ts'
import type { Statement } from '../../src/store/statement.ts'
import type { Store } from '../../src/store/store.ts'
import { bothEngines, testServer } from '../support/engines.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  string,
  typeFile,
} from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type PgBouncer, startPgBouncer, whyNoPgBouncer } from './pgbouncer.ts'

const plain = (text: string, ...parameters: Statement['parameters']): Statement => ({ sql: text, parameters })
const SCHEMA = 'the "content"'

describe('behind a transaction pooler', { skip: whyNoPgBouncer() }, () => {
  const [, postgres] = bothEngines()
  let pooler: PgBouncer
  let direct = ''
  let url = ''

  before(async () => {
    pooler = await startPgBouncer(testServer())
    direct = await postgres.freshUrl()
    url = pooler.through(direct)
    await onServer(`CREATE SCHEMA ${pg.escapeIdentifier(SCHEMA)}`)
  })
  after(() => pooler.stop())

  async function onServer(statement: string, at = direct) {
    const client = new pg.Client({ connectionString: at })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows
    } finally {
      await client.end()
    }
  }

  for (const hasDirectUrl of [true, false])
    describe(hasDirectUrl ? 'with a direct connection' : 'without a direct connection', () => {
      const servers: ProjectServer[] = []
      const database = () => ({
        prepare: false,
        schema: SCHEMA,
        ...(hasDirectUrl && { directUrl: direct }),
      })

      before(async () => {
        for (let index = 0; index < 2; index++) {
          const folder = projectFolder({
            [typeFile('note')]: collection('note', {
              name: string,
              unique: { type: 'string', unique: true },
            }),
          })
          servers.push(await openProject(folder, url, { config: { database: database() } }))
        }
      })
      after(async () => {
        for (const server of servers) await server.remove()
      })

      it('many clients read and write at the same time, each its own documents', async () => {
        await Promise.all(
          Array.from({ length: 30 }, async (_, index) => {
            const server = servers[index % 2]
            const name = `note ${hasDirectUrl} ${index}`
            const made = await server?.request('POST', '/api/notes', { data: { name, unique: name } })
            assert.equal(made?.status, 201, made?.text)
            const path = `/api/notes/${made?.at('data', 'documentId')}`
            for (let time = 0; time < 3; time++)
              assert.equal((await server?.request('GET', path))?.at('data', 'name'), name)
          }),
        )
        const taken = `note ${hasDirectUrl} 0`
        const refused = await servers[1]?.request('POST', '/api/notes', {
          data: { name: 'x', unique: taken },
        })
        assert.equal(refused?.status, 400, refused?.text)
      })

      it('a cached response changes when another process writes', async () => {
        const [one, other] = servers
        const made = await one?.request('POST', '/api/notes', { data: { name: 'before' } })
        const path = `/api/notes/${made?.at('data', 'documentId')}`
        const position = made?.position
        assert.equal((await other?.request('GET', path, undefined, position))?.at('data', 'name'), 'before')
        const written = await one?.request('PUT', path, { data: { name: 'after' } })
        // With the position of the write at once, and soon without it.
        const read = await other?.request('GET', path, undefined, written?.position)
        assert.equal(read?.at('data', 'name'), 'after')
        await one?.request('PUT', path, { data: { name: 'last' } })
        await waitUntil(async () => (await other?.request('GET', path))?.at('data', 'name') === 'last', 5_000)
      })

      it('the tables are in the schema of the configuration, and no setting outlives its transaction', async () => {
        const tables = await onServer(`SELECT schemaname FROM pg_tables WHERE tablename = 'notes'`)
        assert.deepEqual(tables, [{ schemaname: SCHEMA }])
        for (let time = 0; time < 5; time++) {
          const [row] = await onServer(
            `SELECT current_setting('statement_timeout') AS timeout, current_setting('search_path') AS path`,
            url,
          )
          assert.deepEqual(row, { timeout: '0', path: '"$user", public' })
        }
      })
    })

  describe('a store', () => {
    const stores: Store[] = []
    const open = async (options: StoreOptions, at = url) => {
      const store = await openStore(at, options)
      stores.push(store)
      return store
    }
    after(async () => {
      for (const store of stores) await store.close()
    })

    it('stops a read that takes too long, and reads on', async () => {
      const store = await open({ prepare: false, statementTimeout: 100 })
      await assert.rejects(store.read(plain('SELECT pg_sleep(10)')), { status: 503 })
      assert.deepEqual(await store.read(plain('SELECT $1::int AS one', 1)), [{ one: 1 }])
    })

    it('reads a snapshot, whatever others write meanwhile', async () => {
      const store = await open({ prepare: false })
      await store.write(async (transaction) => transaction.run(plain('CREATE TABLE things (value int)')))
      const counts = await store.snapshot(async (read) => {
        const before = await read(sql`SELECT count(*)::int AS count FROM things`)
        await store.write(async (transaction) => transaction.run(plain('INSERT INTO things VALUES (1)')))
        return [...before, ...(await read(sql`SELECT count(*)::int AS count FROM things`))]
      })
      assert.deepEqual(counts, [{ count: 0 }, { count: 0 }])
    })

    it('is refused with a hint if the configuration does not mention the pooler', async () => {
      const refused = { name: 'StartError', message: /database\.prepare to false/ }
      await assert.rejects(open({}), refused)
      // Poolers of providers often ignore the settings of a connection.
      const lenient = await startPgBouncer(testServer(), ['ignore_startup_parameters = options'])
      try {
        await assert.rejects(open({}, lenient.through(direct)), refused)
      } finally {
        await lenient.stop()
      }
    })
  })
})
