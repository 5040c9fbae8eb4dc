import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowReadsOfMachine, slowReadsOfPool } from './slow-reads.ts'

const POOL = 1_000

test('slow reads may use a part of the pool, and on the machine of the database no more than half of the cores', () => {
  for (const server of ['db.example.com:5432', 'localhost.example.com', '10.127.0.1'])
    assert.equal(slowReadsOfPool(POOL, `postgres://u:p@${server}/db`), 300, server)
  const local = [
    ...['localhost', '127.0.0.1:5432', '[::1]:5432', '%2Frun%2Fpostgresql'].map((server) => `${server}/db`),
    ...['/db', '/db?host=/run/postgresql', 'localhost/db?host=/run/postgresql', 'a:5432,127.0.0.1/db'],
  ]
  for (const end of local)
    assert.equal(slowReadsOfPool(POOL, `postgres://u:p@${end}`), slowReadsOfMachine(), end)
})
