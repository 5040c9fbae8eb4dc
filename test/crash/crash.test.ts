/**
 * A server is killed repeatedly while clients write. Afterwards everything it acknowledged is there, and no document is
 * partly written. OCTAVO_CRASH_ROUNDS sets the number of rounds.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { inspect } from './database.ts'
import { makeProject, noteBody, tagBody } from './notes.ts'
import type { Order, VictimKind } from './victim.ts'

const ROUNDS = Number(process.env.OCTAVO_CRASH_ROUNDS ?? 100)
const WRITERS = 8
/** After how many responses a server is killed, and how often it is killed while it starts. */
const MOST_ANSWERS = 40
const KILLED_STARTING = 0.1
/** Most rounds run only the write side, every tenth runs the whole server. */
const APP_EVERY = 10

describe('a server that is killed without warning', { concurrency: 2 }, () => {
  onEachEngine((engine) => {
    test(`keeps what it acknowledged and writes no document partly, in ${ROUNDS} rounds`, async () => {
      const database = await engine.freshUrl()
      const project = makeProject()
      const diary = new Diary()
      let next = start(0, project)
      try {
        for (let round = 0; round < ROUNDS; round++) {
          const victim = next
          // The one after it loads its modules meanwhile.
          next = start(round + 1, project)
          await live(victim, { project, database }, diary)
          diary.check(await inspect(database))
        }
      } finally {
        next.kill('SIGKILL')
        rmSync(project, { recursive: true })
      }
      assert.ok(diary.acknowledged > ROUNDS, `only ${diary.acknowledged} writes were acknowledged`)
    })
  })
})

function start(round: number, project: string): ChildProcess {
  const kind: VictimKind = round % APP_EVERY === 1 ? 'app' : 'write side'
  return fork(new URL('./victim.ts', import.meta.url), [kind], {
    execArgv: [],
    env: { ...process.env, NODE_COMPILE_CACHE: join(project, 'compiled') },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/** One round: from the start of the server until it is killed. */
async function live(victim: ChildProcess, order: Order, diary: Diary) {
  const gone = once(victim, 'exit')
  victim.send(order)
  if (Math.random() < KILLED_STARTING) {
    await pause(Math.random() * 300)
    victim.kill('SIGKILL')
    await gone
    return
  }
  const [base] = await Promise.race([
    once(victim, 'message'),
    gone.then(([code]) => assert.fail(`the server ended by itself with ${code}`)),
  ])
  const agent = new Agent({ keepAlive: true })
  const tags = await Promise.all(['red', 'blue', 'green'].map((name) => createTag(String(base), agent, name)))
  const enough = diary.acknowledged + Math.floor(Math.random() * MOST_ANSWERS)
  const writers = Array.from({ length: WRITERS }, () => write(String(base), agent, tags, diary))
  while (diary.acknowledged < enough) await pause(1)
  await pause(Math.random() * 10)
  victim.kill('SIGKILL')
  await gone
  await Promise.all(writers)
  agent.destroy()
}

/** What clients know: the acknowledged text of each note, and the text of a write without a response, which may be there. */
class Diary {
  readonly #notes = new Map<string, { sure: string | null; maybe?: string | null }>()
  /** The texts of notes whose creation got no response: they may exist. */
  readonly #unacknowledged = new Set<string>()
  acknowledged = 0
  #words = 0

  /** A word that was never used before. */
  word() {
    return `w${++this.#words}.${Math.floor(Math.random() * 1e6)}`
  }

  /** A note that no other client is writing. */
  borrow(): string | null {
    const free = [...this.#notes].filter(([, note]) => note.maybe === undefined && note.sure !== null)
    const [document] = free[Math.floor(Math.random() * free.length)] ?? []
    return document ?? null
  }

  creating(word: string) {
    this.#unacknowledged.add(word)
    return (document: string) => {
      this.acknowledged++
      this.#unacknowledged.delete(word)
      this.#notes.set(document, { sure: word })
    }
  }

  /** Null is the word of a note that is gone. */
  changing(document: string, word: string | null) {
    const sure = this.#notes.get(document)?.sure ?? null
    this.#notes.set(document, { sure, maybe: word })
    return () => {
      this.acknowledged++
      this.#notes.set(document, { sure: word })
    }
  }

  /** Holds what the clients know against what there is. */
  check(found: ReadonlyMap<string, string>) {
    for (const [document, { sure, maybe }] of this.#notes) {
      const word = found.get(document) ?? null
      assert.ok(word === sure || word === maybe, `note ${document} says ${word}, not ${sure} (or ${maybe})`)
      this.#notes.set(document, { sure: word })
    }
    for (const [document, word] of found) {
      if (this.#notes.has(document)) continue
      assert.ok(this.#unacknowledged.delete(word), `note ${document} says ${word}, which was never written`)
      this.#notes.set(document, { sure: word })
    }
    this.#unacknowledged.clear()
  }
}

/** Writes until the server is killed. */
async function write(base: string, agent: Agent, tags: readonly string[], diary: Diary) {
  const pair = () => {
    const start = Math.floor(Math.random() * tags.length)
    return [0, 1].map((step) => tags[(start + step) % tags.length] ?? '')
  }
  for (;;) {
    const document = Math.random() < 0.5 ? diary.borrow() : null
    const word = diary.word()
    const isRemoval = document !== null && Math.random() < 0.2
    if (document === null) {
      const acknowledge = diary.creating(word)
      const response = await send(base, agent, 'POST', '/api/notes', noteBody(word, pair()))
      if (!response) return
      assert.equal(response.status, 201, response.body)
      acknowledge(JSON.parse(response.body).data.documentId)
    } else {
      const acknowledge = diary.changing(document, isRemoval ? null : word)
      const path = `/api/notes/${document}`
      const response = isRemoval
        ? await send(base, agent, 'DELETE', path)
        : await send(base, agent, 'PUT', path, noteBody(word, pair()))
      if (!response) return
      assert.equal(response.status, isRemoval ? 204 : 200, response.body)
      acknowledge()
    }
  }
}

async function createTag(base: string, agent: Agent, name: string): Promise<string> {
  const response = await send(base, agent, 'POST', '/api/tags', tagBody(name))
  assert.equal(response?.status, 201, response?.body)
  return JSON.parse(response?.body ?? '{}').data.documentId
}

/** The response, or null when the connection broke first. */
function send(base: string, agent: Agent, method: string, path: string, body?: string) {
  return new Promise<{ status: number; body: string } | null>((resolve) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(new URL(path, base), { method, agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () =>
        resolve(response.complete ? { status: response.statusCode ?? 0, body: text } : null),
      )
      response.on('error', () => resolve(null))
    })
    sent.on('error', () => resolve(null))
    sent.end(body)
  })
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
