/** Ordinary clients: they read, write, upload and sign in, and know exactly which responses are right. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomNumbers } from '../soak/random-numbers.ts'
import { messageOf } from '../src/errors.ts'
import type { Counts } from '../test/support/notes-and-tags.ts'
import { tagsOf } from '../test/support/notes-and-tags.ts'
import { CLIENT_TOKEN, PASSWORD, tagNamesOf, USER_NAME } from './project.ts'
import { CLIENT_ADDRESS, createSender, fileForm, type Reply, type RequestOptions } from './send.ts'

/** One request of an ordinary client. */
export interface Served {
  readonly action: string
  /** Milliseconds since the start of the siege. */
  readonly at: number
  readonly milliseconds: number
  /** Whether it failed with 503 and Retry-After. */
  readonly isRefused: boolean
}

export interface OrdinaryClients {
  readonly served: readonly Served[]
  /** Wrong responses as sentences, the first hundred of them. */
  readonly wrong: readonly string[]
  stop(): Promise<void>
}

interface Client {
  send(path: string, status: number, options?: RequestOptions): Promise<Reply>
  draw(below: number): number
  readonly counts: Counts
}

const CLIENTS = 6
const PAUSE_MS = 40
const MOST_WRONG = 100

/** Thrown when the server refuses a request for lack of capacity; what follows in the action is left out. */
class Refused extends Error {}

const dataOf = ({ text }: Reply) => JSON.parse(text).data
const asClient = { token: CLIENT_TOKEN }

function assertNote(
  note: { title: string; tags: readonly { name: string }[] },
  number: number,
  counts: Counts,
) {
  assert.equal(note.title, `note ${number}`)
  assert.deepEqual(
    note.tags.map(({ name }) => name),
    tagNamesOf(number, counts),
  )
}

const ACTIONS: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  async 'a page of a list'({ send, draw, counts }) {
    const size = 10
    const page = 1 + draw(counts.notes / size)
    const query = `sort=id&populate=tags&pagination[page]=${page}&pagination[pageSize]=${size}`
    const notes = dataOf(await send(`/api/notes?${query}`, 200))
    assert.equal(notes.length, size)
    for (const [index, note] of notes.entries()) assertNote(note, (page - 1) * size + index, counts)
  },
  async 'a document'({ send, draw, counts }) {
    const number = draw(counts.notes)
    assertNote(dataOf(await send(`/api/notes/note${number}?populate=tags`, 200)), number, counts)
  },
  async 'a filter through a relation'({ send, draw, counts }) {
    const tag = draw(counts.tags)
    const query = `filters[tags][name]=tag%20${tag}&fields=title&sort=id&pagination[limit]=100`
    const expected = Array.from({ length: counts.notes }, (_, note) => note)
      .filter((note) => tagsOf(note, counts).includes(tag))
      .slice(0, 100)
    assert.deepEqual(
      dataOf(await send(`/api/notes?${query}`, 200)).map(({ title }: { title: string }) => title),
      expected.map((note) => `note ${note}`),
    )
  },
  async writing({ send, draw }) {
    const title = `article ${draw(1_000_000_000)}`
    const post = { ...asClient, method: 'POST', json: { data: { title, price: 9.5 } } }
    const { documentId } = dataOf(await send('/api/articles', 201, post))
    const path = `/api/articles/${documentId}`
    assert.equal(dataOf(await send(path, 200)).title, title)
    const put = { ...asClient, method: 'PUT', json: { data: { price: 10.25 } } }
    assert.equal(dataOf(await send(path, 200, put)).price, 10.25)
    const { title: sameTitle, price } = dataOf(await send(path, 200))
    assert.deepEqual([sameTitle, price], [title, 10.25])
    await send(path, 204, { ...asClient, method: 'DELETE' })
    await send(path, 404)
  },
  async uploading({ send, draw }) {
    const content = `the text of file ${draw(1_000_000_000)}`
    const post = { ...asClient, method: 'POST', ...fileForm('ordinary.txt', content) }
    const [file] = JSON.parse((await send('/api/upload', 201, post)).text)
    assert.equal((await send(file.url, 200)).text, content)
    await send(`/api/upload/files/${file.id}`, 200, { ...asClient, method: 'DELETE' })
  },
  async 'signing in'({ send }) {
    const json = { identifier: USER_NAME, password: PASSWORD }
    const { jwt } = JSON.parse((await send('/api/auth/local', 200, { method: 'POST', json })).text)
    assert.equal(JSON.parse((await send('/api/users/me', 200, { token: jwt })).text).username, USER_NAME)
  },
  async '/healthz'({ send }) {
    assert.equal((await send('/healthz', 200)).text, '{"status":"ok"}')
  },
}

/** How often each action is chosen. */
const CHOICES = Object.keys(ACTIONS).flatMap((name) => {
  const weight = { 'a page of a list': 6, 'a document': 8, '/healthz': 3, writing: 3 }[name] ?? 1
  return Array.from({ length: weight }, () => name)
})

/** Starts the clients, which work until they are stopped. */
export function startOrdinaryClients(
  base: string,
  counts: Counts,
  began: number,
  seed: number,
): OrdinaryClients {
  const served: Served[] = []
  const wrong: string[] = []
  let isStopped = false

  async function work(number: number) {
    const sender = createSender(base, CLIENT_ADDRESS)
    const draw = randomNumbers(seed * CLIENTS + number)
    while (!isStopped) {
      const action = CHOICES[draw(CHOICES.length)] ?? '/healthz'
      const client: Client = {
        draw,
        counts,
        async send(path, status, options) {
          const start = performance.now()
          const reply = await sender.send(path, options)
          const isRefused = reply.status === 503 && reply.headers['retry-after'] !== undefined
          served.push({ action, at: start - began, milliseconds: performance.now() - start, isRefused })
          if (isRefused) throw new Refused(`${path} is refused: ${reply.text.slice(0, 200)}`)
          assert.equal(reply.status, status, `${path}: ${reply.text.slice(0, 200)}`)
          return reply
        },
      }
      try {
        await ACTIONS[action]?.(client)
      } catch (error) {
        if (!(error instanceof Refused) && wrong.length < MOST_WRONG)
          wrong.push(`${action}: ${messageOf(error)}`)
      }
      await sleep(draw(2 * PAUSE_MS))
    }
    sender.close()
  }

  const works = Promise.all(Array.from({ length: CLIENTS }, (_, number) => work(number)))
  return {
    served,
    wrong,
    async stop() {
      isStopped = true
      await works
    },
  }
}
