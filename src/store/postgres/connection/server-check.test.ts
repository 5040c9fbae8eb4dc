import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { bothEngines, testServer } from '../../../../test/support/engines.ts'
import { openStore } from '../../open.ts'
import { serverProblem } from './server-check.ts'

const usable = { number: 140_000, version: '14.0', encoding: 'UTF8' }

describe('a PostgreSQL server', () => {
  const [, postgres] = bothEngines()

  test('is refused before version 14', () => {
    assert.equal(serverProblem(usable), null)
    assert.equal(
      serverProblem({ ...usable, number: 130_014, version: '13.14' }),
      'PostgreSQL 13.14 is not supported: version 14 or later is required',
    )
  })

  test('is refused if the database has another encoding than UTF8', async () => {
    const url = new URL(await postgres.freshUrl())
    const name = `${url.pathname.slice(1)}_latin1`
    const client = new pg.Client({ connectionString: testServer() })
    await client.connect()
    await client.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' TEMPLATE template0`)
    try {
      url.pathname = `/${name}`
      await assert.rejects(openStore(url.href), {
        name: 'StartError',
        message: /^The database has the encoding LATIN1, but must have UTF8: create another one/,
      })
    } finally {
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await client.end()
    }
  })
})
