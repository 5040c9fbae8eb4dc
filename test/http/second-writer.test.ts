/** Another program writes to the same SQLite database: requests wait for it, and none fails. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { type Method, request } from '../access/client.ts'
import { serve } from '../support/server.ts'

const TOKEN = 'token-beside-a-second-writer-0123456789'
const PROJECT = new Map<string, unknown>([
  [
    'src/api/page/content-types/page/schema.json',
    {
      kind: 'collectionType',
      info: { singularName: 'page', pluralName: 'pages', displayName: 'page' },
      options: { draftAndPublish: true },
      attributes: { title: { type: 'string' } },
    },
  ],
  ['config/tokens.json', { full: { type: 'full-access', token: TOKEN } }],
])

/** Holds the lock of the file most of the time, on a connection and in a thread of its own. */
const OTHER_PROGRAM = `
  const { DatabaseSync } = require('node:sqlite')
  const { workerData } = require('node:worker_threads')
  const database = new DatabaseSync(workerData)
  database.exec('pragma busy_timeout = 20000; create table other_program (value integer)')
  const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  for (;;) {
    database.exec('begin immediate; insert into other_program values (1)')
    sleep(20)
    database.exec('commit')
    sleep(5)
  }`

it('updating, publishing, unpublishing and discarding succeed while another program holds the lock again and again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-second-writer-'))
  const file = join(folder, 'data.db')
  const running = await serve(PROJECT, `sqlite:${file}`)
  const other = new Worker(OTHER_PROGRAM, { eval: true, workerData: file })
  try {
    const send = (method: Method, path: string, data?: object) =>
      request(running.server, method, `/api/pages${path}`, {
        as: TOKEN,
        ...(data && { body: { data } }),
      })
    const work = async () => {
      const { at, status, text } = await send('POST', '', { title: 'first' })
      assert.equal(status, 201, text)
      const path = `/${at('data', 'documentId')}`
      for (let round = 0; round < 2; round++)
        for (const [method, action, data] of [
          ['PUT', '?status=draft', { title: `draft ${round}` }],
          ['POST', '/actions/discard', undefined],
          ['POST', '/actions/unpublish', undefined],
          ['POST', '/actions/publish', undefined],
          ['PUT', '', { title: `published ${round}` }],
        ] as const) {
          const response = await send(method, path + action, data)
          assert.equal(response.status, 200, `${method} ${action}: ${response.text}`)
        }
    }
    await Promise.all(Array.from({ length: 4 }, work))
  } finally {
    await other.terminate()
    await running.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
