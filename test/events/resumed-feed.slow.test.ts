/**
 * A feed that is resumed at random, now here and now there, while several processes write: no event is missed, repeated or
 * out of order. OCTAVO_FEED_RESUMES sets how often it is resumed.
 */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { launch, type RunningCommand } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { jsonAt } from '../support/json-body.ts'
import { collection, projectFolder, string, typeFile } from '../support/project-server.ts'
import { openTestStream } from './event-stream.ts'

const RESUMES = Number(process.env.OCTAVO_FEED_RESUMES ?? 30)
const TOKEN = 'full-token-0123456789abcdef0123456789abcdef'
const WRITERS = 4
const authorization = `Bearer ${TOKEN}`

const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error('Nothing to pick from')
  return item
}

onEachEngine((engine) => {
  test(`the feed of three processes has every event once and in order, resumed ${RESUMES} times`, async () => {
    const folder = projectFolder({
      [typeFile('note')]: collection('note', { text: string }),
      'config/tokens.json': { full: { type: 'full-access', token: TOKEN } },
    })
    const database = await engine.freshUrl()
    const servers: RunningCommand[] = []
    try {
      for (let count = 0; count < 3; count++)
        servers.push(launch(['start', '--project', folder, '--database', database, '--port', '0']))
      const bases = await Promise.all(servers.map((server) => server.address()))
      const first = await openTestStream(pick(bases), '', { authorization })
      let last = first.lastId
      first.close()

      /** The writes of each document, in order. */
      const written = new Map<string, string[]>()
      let isWriting = true
      const send = async (method: string, path: string, body?: object) => {
        const response = await fetch(`${pick(bases)}/api/notes${path}`, {
          method,
          headers: { authorization, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        })
        assert.ok(response.ok, `${method} ${path}: ${response.status}`)
        return jsonAt(response.status === 204 ? '{}' : await response.text())
      }
      const write = async () => {
        while (isWriting) {
          const created = await send('POST', '', { data: { text: 'new' } })
          const id = String(created('data', 'documentId'))
          const actions = ['document.create']
          written.set(id, actions)
          while (isWriting && Math.random() < 0.7) {
            await send('PUT', `/${id}`, { data: { text: `changed ${actions.length}` } })
            actions.push('document.update')
          }
          if (isWriting && Math.random() < 0.3) {
            await send('DELETE', `/${id}`)
            actions.push('document.delete')
          }
        }
      }
      const writers = Array.from({ length: WRITERS }, write)

      const numbers: number[] = []
      const received = new Map<string, string[]>()
      /** Reads from a random process until a number of events has come, or all if it is null. */
      const read = async (enough: number | null) => {
        const stream = await openTestStream(pick(bases), '', { authorization, 'last-event-id': String(last) })
        if (enough !== null) while (stream.events.length < enough) await new Promise(setImmediate)
        else await stream.until(({ data }) => data.documentId === end && data.event === 'document.delete')
        stream.close()
        for (const { id, data } of stream.events) {
          numbers.push(id)
          last = id
          const documentId = String(data.documentId)
          received.set(documentId, [...(received.get(documentId) ?? []), String(data.event)])
        }
      }
      let end = ''
      try {
        for (let resumes = 0; resumes < RESUMES; resumes++) await read(Math.ceil(Math.random() * 4))
      } finally {
        isWriting = false
        await Promise.all(writers)
      }
      end = String((await send('POST', '', { data: { text: 'the end' } }))('data', 'documentId'))
      await send('DELETE', `/${end}`)
      written.set(end, ['document.create', 'document.delete'])
      await read(null)

      assert.deepEqual(
        numbers,
        [...new Set(numbers)].sort((one, other) => one - other),
      )
      assert.deepEqual(new Map([...received].sort()), new Map([...written].sort()))
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
