/** Writes of several processes that take turns. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGroupCommit } from './group-commit.ts'
import { type Execute, OperationFailure } from './operation.ts'
import type { WriteLock } from './write-lock.ts'

const BOUNDS = { queue: 3, jobs: 2, milliseconds: 1_000, patience: 1_000 }
const one = { sql: 'SELECT 1', parameters: [] }

function writing(lock: WriteLock) {
  const log: string[] = []
  const execute: Execute = async (operations) => {
    for (const { sql } of operations) if (/^(BEGIN|COMMIT)/.test(sql)) log.push(sql)
    return operations.map(() => [])
  }
  const group = createGroupCommit(execute, BOUNDS, { lock })
  return { log, write: () => group.write((transaction) => transaction.all(one)) }
}

test('a batch holds the lock until after its commit', async () => {
  const events: string[] = []
  const { log, write } = writing({
    acquire: async () => void events.push('acquire'),
    release: () => void events.push(`release after ${log.join(' ')}`),
  })
  await Promise.all([write(), write(), write()])
  await new Promise(setImmediate)
  assert.deepEqual(events, [
    'acquire',
    'release after BEGIN IMMEDIATE COMMIT',
    'acquire',
    'release after BEGIN IMMEDIATE COMMIT BEGIN IMMEDIATE COMMIT',
  ])
})

test('when the lock cannot be acquired, all waiting writes are refused and nothing is written', async () => {
  let refuse = true
  const { log, write } = writing({
    async acquire() {
      if (refuse) throw new Error('not yours')
    },
    release: () => {},
  })
  const outcomes = await Promise.allSettled([write(), write()])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(log, [])
  refuse = false
  await write()
  assert.deepEqual(log, ['BEGIN IMMEDIATE', 'COMMIT'])
})

test('writes beyond the limit are refused immediately', async () => {
  const { write } = writing({ acquire: () => new Promise(() => {}), release: () => {} })
  for (let count = 0; count < BOUNDS.queue; count++) void write()
  await assert.rejects(write(), { status: 503, headers: { 'retry-after': '1' } })
})

test('when the transaction cannot be opened, the writes that waited meanwhile are refused too', async () => {
  let begins = 0
  const execute: Execute = async () => {
    begins += 1
    throw new OperationFailure(0, false, new Error('busy'))
  }
  const group = createGroupCommit(execute, BOUNDS)
  const writes = [1, 2, 3].map(() => group.write((transaction) => transaction.all(one)))
  for (const outcome of await Promise.allSettled(writes)) assert.equal(outcome.status, 'rejected')
  assert.equal(begins, 1)
})

test('while a commit is not on disk yet, the next batch is written, and acknowledged after its own', async () => {
  const written: (() => void)[] = []
  const durable = () => new Promise<void>((resolve) => written.push(resolve))
  const execute: Execute = async (operations) => operations.map(() => [])
  const group = createGroupCommit(execute, BOUNDS, { durable })
  const acknowledged: string[] = []
  const write = (name: string) =>
    group.write((transaction) => transaction.all(one)).then(() => acknowledged.push(name))
  const first = write('first')
  await new Promise(setImmediate)
  const second = write('second')
  await new Promise(setImmediate)
  assert.deepEqual([group.commits, written.length, acknowledged], [2, 2, []])
  written[0]?.()
  await first
  assert.deepEqual(acknowledged, ['first'])
  written[1]?.()
  await second
  assert.deepEqual(acknowledged, ['first', 'second'])
})
