import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { bothEngines } from '../../../../test/support/engines.ts'
import { createTimeoutSetter } from './statement-timeout.ts'

const [, postgres] = bothEngines()

it('a limit that could not be set is set again before the next statement', async () => {
  const client = new pg.Client({ connectionString: await postgres.freshUrl(), pipeline: true })
  await client.connect()
  try {
    const setTimeoutOf = createTimeoutSetter(Number.POSITIVE_INFINITY, () => {})
    await client.query('BEGIN')
    await assert.rejects(client.query('SELECT nothing'))
    // The server refuses it, because the transaction has failed.
    setTimeoutOf(client, 5_000)
    await client.query('ROLLBACK')
    setTimeoutOf(client, 5_000)
    const { rows } = await client.query('SHOW statement_timeout')
    assert.deepEqual(rows, [{ statement_timeout: '5s' }])
  } finally {
    await client.end()
  }
})
