/**
 * A server is killed repeatedly while clients write. Afterwards every acknowledged write is stored, no document is partly
 * written, and the records of changes are exactly those of the stored writes. OCTAVO_CRASH_ROUNDS sets the number of rounds; each round makes the same checks.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { readNotes, type StoredNotes } from './database.ts'
import { createProject, noteBody, tagBody } from './notes.ts'
import type { ServerTarget, VictimKind } from './victim.ts'

const ROUNDS = Number(process.env.OCTAVO_CRASH_ROUNDS ?? 16)
const WRITERS = 8
/** The most responses before a server is killed, and the share of servers that are killed while they start. */
const MAX_RESPONSES = 40
const KILLED_WHILE_STARTING = 0.1
/** Most rounds run only the write side, every tenth runs the whole server. */
const APP_EVERY = 10

describe('a server that is killed without warning', { concurrency: 2 }, () => {
  onEachEngine((engine) => {
    test(`keeps every acknowledged write with its records and no partial one, in ${ROUNDS} rounds`, async () => {
      const database = await engine.emptyUrl()
      const project = createProject()
      const expected = new ExpectedNotes()
      let next = start(0, project)
      try {
        for (let round = 0; round < ROUNDS; round++) {
          const victim = next
          // The next server loads its modules in the meantime.
          next = start(round + 1, project)
          await runUntilKilled(victim, { project, database }, expected)
          expected.check(await readNotes(database))
        }
      } finally {
        next.kill('SIGKILL')
        rmSync(project, { recursive: true })
      }
      assert.ok(
        expected.acknowledgedWrites > ROUNDS,
        `only ${expected.acknowledgedWrites} writes were acknowledged`,
      )
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
async function runUntilKilled(victim: ChildProcess, target: ServerTarget, expected: ExpectedNotes) {
  const exited = once(victim, 'exit')
  victim.send(target)
  if (Math.random() < KILLED_WHILE_STARTING) {
    await pause(Math.random() * 300)
    victim.kill('SIGKILL')
    await exited
    return
  }
  const [base] = await Promise.race([
    once(victim, 'message'),
    exited.then(([code]) => assert.fail(`the server exited with code ${code}`)),
  ])
  const agent = new Agent({ keepAlive: true })
  const tags = await Promise.all(['red', 'blue', 'green'].map((name) => createTag(String(base), agent, name)))
  const enough = expected.acknowledgedWrites + Math.floor(Math.random() * MAX_RESPONSES)
  const writers = Array.from({ length: WRITERS }, () => write(String(base), agent, tags, expected))
  while (expected.acknowledgedWrites < enough) await pause(1)
  await pause(Math.random() * 10)
  victim.kill('SIGKILL')
  await exited
  await Promise.all(writers)
  agent.destroy()
}

/** What is known of one note. */
interface ExpectedNote {
  /** Null when it is deleted. */
  readonly acknowledged: string | null
  readonly unacknowledged?: string | null
  /** The actions of all writes that are stored. */
  readonly actions: readonly string[]
}

const CREATED = ['document.create', 'document.publish']
const actionsOf = (text: string | null) =>
  text === null ? ['document.delete'] : ['document.update', 'document.publish']

/** The acknowledged text of each note, and the text of a write without a response, which may or may not be stored. */
class ExpectedNotes {
  readonly #notes = new Map<string, ExpectedNote>()
  /** Texts of notes whose creation got no response: the notes may exist. */
  readonly #possible = new Set<string>()
  acknowledgedWrites = 0
  #texts = 0

  /** A text that was never used before. */
  newText() {
    return `w${++this.#texts}.${Math.floor(Math.random() * 1e6)}`
  }

  /** A note that no other client is writing. */
  pickNote(): string | null {
    const free = [...this.#notes].filter(
      ([, note]) => note.unacknowledged === undefined && note.acknowledged !== null,
    )
    const [document] = free[Math.floor(Math.random() * free.length)] ?? []
    return document ?? null
  }

  creating(text: string) {
    this.#possible.add(text)
    return (document: string) => {
      this.acknowledgedWrites++
      this.#possible.delete(text)
      this.#notes.set(document, { acknowledged: text, actions: CREATED })
    }
  }

  /** A text of null stands for a deleted note. */
  changing(document: string, text: string | null) {
    const { acknowledged = null, actions = [] } = this.#notes.get(document) ?? {}
    this.#notes.set(document, { acknowledged, unacknowledged: text, actions })
    return () => {
      this.acknowledgedWrites++
      this.#notes.set(document, { acknowledged: text, actions: [...actions, ...actionsOf(text)] })
    }
  }

  /** Compares the expected texts and records with the stored ones. */
  check({ texts: found, events, audit }: StoredNotes) {
    for (const [document, { acknowledged, unacknowledged, actions }] of this.#notes) {
      const text = found.get(document) ?? null
      assert.ok(
        text === acknowledged || text === unacknowledged,
        `note ${document} has the text ${text}, not ${acknowledged} (or ${unacknowledged})`,
      )
      const stored = text === acknowledged ? actions : [...actions, ...actionsOf(text)]
      this.#notes.set(document, { acknowledged: text, actions: stored })
    }
    for (const [document, text] of found) {
      if (this.#notes.has(document)) continue
      assert.ok(this.#possible.delete(text), `note ${document} has the text ${text}, which was never written`)
      this.#notes.set(document, { acknowledged: text, actions: CREATED })
    }
    this.#possible.clear()
    for (const records of [events, audit]) {
      for (const [document, { actions }] of this.#notes)
        assert.deepEqual(records.get(document) ?? [], actions, `the records of note ${document}`)
      assert.equal(records.size, this.#notes.size, 'records of a note that was never stored')
    }
  }
}

/** Writes until the server is killed. */
async function write(base: string, agent: Agent, tags: readonly string[], expected: ExpectedNotes) {
  const pair = () => {
    const start = Math.floor(Math.random() * tags.length)
    return [0, 1].map((step) => tags[(start + step) % tags.length] ?? '')
  }
  for (;;) {
    const document = Math.random() < 0.5 ? expected.pickNote() : null
    const text = expected.newText()
    const isRemoval = document !== null && Math.random() < 0.2
    if (document === null) {
      const acknowledge = expected.creating(text)
      const response = await send(base, agent, 'POST', '/api/notes', noteBody(text, pair()))
      if (!response) return
      assert.equal(response.status, 201, response.body)
      acknowledge(JSON.parse(response.body).data.documentId)
    } else {
      const acknowledge = expected.changing(document, isRemoval ? null : text)
      const path = `/api/notes/${document}`
      const response = isRemoval
        ? await send(base, agent, 'DELETE', path)
        : await send(base, agent, 'PUT', path, noteBody(text, pair()))
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

/** Returns the response, or null when the connection was lost first. */
function send(base: string, agent: Agent, method: string, path: string, body?: string) {
  return new Promise<{ status: number; body: string } | null>((resolve) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(new URL(path, base), { method, agent, headers }, (response) => {
      let received = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        received += chunk
      })
      response.on('end', () =>
        resolve(response.complete ? { status: response.statusCode ?? 0, body: received } : null),
      )
      response.on('error', () => resolve(null))
    })
    sent.on('error', () => resolve(null))
    sent.end(body)
  })
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
