/** Processes are killed while they publish a release of 1,000 documents: it is published whole or not at all, and once. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { readRelease } from '../../src/documents/releases/releases.ts'
import { readEventsAfter } from '../../src/events/outbox/read-events.ts'
import { JOBS } from '../../src/jobs/tables.ts'
import { compile } from '../../src/store/compile.ts'
import { openStore } from '../../src/store/open.ts'
import { sql } from '../../src/store/sql.ts'
import type { Store } from '../../src/store/store.ts'
import { onEachEngine } from '../support/engines.ts'
import { waitUntil } from '../support/wait-until.ts'
import { createScheduleProject, PAGE, startScheduleServer } from './project.ts'

const DOCUMENTS = 1_000
const KILLED = 2

onEachEngine((engine) => {
  test(`a release of ${DOCUMENTS} documents is published whole and once, though processes are killed`, async () => {
    const database = await engine.freshUrl()
    const id = await createScheduledRelease(database)
    const project = createScheduleProject()
    const store = await openStore(database)
    await makeDue(store)
    try {
      for (let round = 0; round < KILLED; round++) {
        const victim = startVictim()
        victim.send({ project, database })
        await once(victim, 'message')
        await pause(200 + Math.random() * 500)
        victim.kill('SIGKILL')
        await once(victim, 'exit')
        const state = (await readRelease(store, id))?.state
        const published = await countPublished(store)
        assert.equal(published, state === 'published' ? DOCUMENTS : 0, `${published} in round ${round}`)
        await makeDue(store)
      }
      const processes = [startVictim(), startVictim()]
      try {
        for (const one of processes) one.send({ project, database })
        await waitUntil(async () => (await readRelease(store, id))?.state === 'published')
      } finally {
        for (const one of processes) one.kill('SIGKILL')
        await Promise.all(processes.map((one) => one.exitCode ?? once(one, 'exit')))
      }
      assert.equal(await countPublished(store), DOCUMENTS)
      assert.equal(await countPublishEvents(store), DOCUMENTS)
    } finally {
      await store.close()
      rmSync(project, { recursive: true, force: true })
    }
  })
})

/** A release that is due, on a database that no server has open. */
async function createScheduledRelease(database: string): Promise<number> {
  const running = await startScheduleServer(database)
  const entries: object[] = []
  for (let batch = 0; batch < DOCUMENTS / 100; batch++) {
    const operations = Array.from({ length: 100 }, (_, index) => ({
      method: 'POST',
      path: '/api/pages?status=draft&fields=documentId',
      body: { data: { title: `Page ${batch} ${index}` } },
    }))
    const response = await running.send('POST', '/api/batch', { operations })
    for (let index = 0; index < operations.length; index++)
      entries.push({ type: PAGE, documentId: response.at('data', index, 'body', 'data', 'documentId') })
  }
  const data = { name: 'Everything', entries, publishAt: '2990-01-01T00:00:00Z' }
  const response = await running.send('POST', '/admin/api/releases', { data })
  assert.equal(response.status, 201, response.text.slice(0, 500))
  await running.close()
  return Number(response.at('data', 'id'))
}

function startVictim(): ChildProcess {
  return fork(new URL('../crash/victim.ts', import.meta.url), ['app'], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function countPublished(store: Store): Promise<number> {
  const count = sql`select count(*) as count from ${sql.table('pages')} where published = 1`
  return Number((await store.read(compile(store.dialect, count)))[0]?.count)
}

async function countPublishEvents(store: Store): Promise<number> {
  let [count, last] = [0, 0]
  for (;;) {
    const events = await readEventsAfter(store, last)
    if (events.length === 0) return count
    count += events.filter(({ event, type }) => event === 'document.publish' && type === PAGE).length
    last = events.at(-1)?.seq ?? last
  }
}

/** Makes the release due now, as if its time, or the lease of a killed process, had passed. */
async function makeDue(store: Store): Promise<void> {
  const now = new Date().toISOString()
  await store.write(async (transaction) =>
    transaction.run(
      compile(store.dialect, sql`update ${sql.table(JOBS)} set due_at = ${now} where kind = 'releases'`),
    ),
  )
}
