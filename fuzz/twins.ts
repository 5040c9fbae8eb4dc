/** Two servers with the same project and the same content, one on each engine, and a way to ask both the same. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Model } from '../src/model/model.ts'
import { parseModel } from '../src/model/parse-model.ts'
import { schemaFile } from '../src/project/source.ts'
import { createClient } from '../test/reference/client.ts'
import { fileBytes, loadRecording } from '../test/reference/recording.ts'
import { seedServer } from '../test/reference/replay.ts'
import { type Ask, type Wire, wireOf } from './ask.ts'
import { type Answer, differenceOf, faultOf, learn, learnDocuments } from './judge.ts'
import { Memory } from './memory.ts'
import { send, start } from './running.ts'

export interface Finding {
  /** Findings with the same signature are taken for one. */
  readonly signature: string
  readonly words: string
  /** Whether the content of the two servers may differ from now on. */
  readonly parted: boolean
  readonly wires: readonly [Wire, Wire]
  readonly answers: readonly (Answer | string)[]
}

export interface Held {
  readonly status: number | null
  readonly finding: Finding | null
}

export interface Twins {
  /** The model as the servers have it now; also what requests refer to is brought up to date. */
  refresh(): Promise<Model>
  /** Sends a request to both and says what is wrong. */
  hold(ask: Ask): Promise<Held>
  stop(): Promise<void>
}

const recording = loadRecording()
const NAMES = ['SQLite', 'PostgreSQL'] as const
const BAD = [
  'Bearer x',
  'Bearer',
  'Basic YTpi',
  'Bearer eyJhbGciOiJub25lIn0.e30.',
  `Bearer ${'x'.repeat(3000)}`,
  '',
  'Bearer \u00ff',
  'Bearer a b',
]

/** Starts both on empty databases with these urls and fills them alike. */
export async function startTwins(urls: readonly [string, string]): Promise<Twins> {
  const started = await Promise.all(urls.map(start))
  const [first, second] = started
  if (!first || !second) throw new Error('Two servers are needed')
  const both = [first, second] as const
  const memory = new Memory()
  const bearers = new Map<string, readonly [string, string]>([['admin', [first.admin, second.admin]]])
  for (const [name, token] of Object.entries(recording.tokens)) bearers.set(name, [token, token])
  let model: Model | null = null
  let uidAt = new Map<string, string>()
  let bad = 0
  let people = 0

  await Promise.all(both.map(({ base }) => seedServer(createClient(base, recording), recording)))
  await newBlocked()

  async function ask(
    method: string,
    path: string | ((side: number) => string),
    as: string | null,
    body?: unknown,
  ) {
    const text = body === undefined ? null : Buffer.from(JSON.stringify(body))
    return Promise.all(
      both.map(async (running, side) => {
        const token = as === null ? undefined : bearers.get(as)?.[side]
        const answer = await send(running, {
          method,
          target: typeof path === 'string' ? path : path(side),
          headers: {
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(text ? { 'content-type': 'application/json', 'content-length': String(text.length) } : {}),
          },
          body: text,
        })
        if (typeof answer === 'string') throw new Error(`${NAMES[side]} ${method} ${path}: ${answer}`)
        return { status: answer.status, body: answer.text === '' ? null : JSON.parse(answer.text) }
      }),
    )
  }

  /** Signs a new person in and keeps what was given. */
  async function newPerson(name: string) {
    const username = `${name}-${++people}`.toLowerCase()
    const account = { username, email: `${username}@people.test`, password: `${username}-Passw0rd` }
    const made = await ask('POST', '/api/auth/local/register', null, account)
    bearers.set(name, [String(made[0]?.body.jwt), String(made[1]?.body.jwt)])
    return made.map(({ body }) => Number(body.user.id))
  }

  /** Somebody whose credential was good once. */
  async function newBlocked() {
    const ids = await newPerson('blocked')
    await ask('PUT', (side) => `/api/users/${ids[side]}`, 'full', { blocked: true })
  }

  /** Credentials that some request has ended are replaced. */
  async function renewPeople() {
    for (const name of ['user', 'signedInAdmin']) {
      const answers = bearers.has(name) ? await ask('GET', '/api/users/me', name) : []
      if (answers.length > 0 && answers.every(({ status }) => status === 200)) continue
      if (name === 'user') await newPerson(name)
      else await newAdmin()
    }
  }

  async function newAdmin() {
    const username = `admin-${++people}`
    const account = { username, email: `${username}@people.test`, password: `${username}-Passw0rd` }
    await ask('POST', '/admin/api/users', 'admin', { data: account })
    const signedIn = await ask('POST', '/api/auth/local', null, {
      identifier: username,
      password: account.password,
    })
    bearers.set('signedInAdmin', [String(signedIn[0]?.body.jwt), String(signedIn[1]?.body.jwt)])
  }

  async function liveModel(): Promise<Model> {
    const [types] = await ask('GET', '/admin/api/content-types', 'admin')
    const [components] = await ask('GET', '/admin/api/components', 'admin')
    const [locales] = await ask('GET', '/admin/api/locales', 'admin')
    const listed = (list: readonly Record<string, unknown>[], kind: 'type' | 'component') =>
      list
        .filter(({ builtIn }) => builtIn !== true)
        .map(({ uid, ...schema }) => ({
          kind,
          uid: String(uid),
          file: schemaFile(kind, String(uid)),
          schema,
        }))
    const codes: { code: string; isDefault: boolean }[] = locales?.body.data
    const parsed = parseModel(
      [...listed(types?.body.data, 'type'), ...listed(components?.body.data, 'component')],
      {
        default: codes.find(({ isDefault }) => isDefault)?.code ?? 'en',
        codes: codes.map(({ code }) => code),
      },
    )
    if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'))
    return parsed.model
  }

  async function learnContent(current: Model) {
    for (const type of current.endpoints.values()) {
      memory.forget(`doc ${type.uid}`)
      memory.forget(`id ${type.uid}`)
      const segment = type.kind === 'single' ? type.singular : type.plural
      const [a, b] = await ask(
        'GET',
        `/api/${segment}?status=draft&populate=*&pagination[pageSize]=100&sort=id:desc`,
        'full',
      )
      if (a && b) learnDocuments(type.uid, a.body?.data, b.body?.data, memory)
    }
    const [files, sameFiles] = await ask('GET', '/api/upload/files?limit=20', 'full')
    learnDocuments('plugin::upload.file', files?.body, sameFiles?.body, memory)
    const [roles, sameRoles] = await ask('GET', '/api/users-permissions/roles', 'full')
    for (const [index, role] of (roles?.body.roles ?? []).entries())
      memory.note('role', role.documentId, sameRoles?.body.roles[index].documentId)
  }

  return {
    async refresh() {
      await renewPeople()
      model = await liveModel()
      uidAt = new Map([...model.endpoints].map(([segment, { uid }]) => [`/api/${segment}`, uid]))
      await learnContent(model)
      return model
    },

    async hold(one) {
      const authorizations = both.map((_, side) => {
        if (one.as === 'nobody') return null
        if (one.as === 'bad') return BAD[bad % BAD.length] ?? null
        return `Bearer ${bearers.get(one.as)?.[side]}`
      })
      if (one.as === 'bad') bad += 1
      const wireFor = (side: 0 | 1) =>
        wireOf(one, authorizations[side] ?? null, (pool, index) => memory.find(pool, index, side), fileBytes)
      const wires = [wireFor(0), wireFor(1)] as const
      const [a, b] = await Promise.all([send(first, wires[0]), send(second, wires[1])])
      const parted =
        one.method !== 'GET' && (typeof a === 'string' || typeof b === 'string' || a.status !== b.status)
      const finding = (words: string): Held => ({
        status: null,
        finding: {
          parted,
          signature: signatureOf(one, words),
          words,
          wires,
          answers: [a, b],
        },
      })
      if (typeof a === 'string' || typeof b === 'string')
        return finding(
          [a, b]
            .map((answer, side) => `${NAMES[side]}: ${typeof answer === 'string' ? answer : answer.status}`)
            .join(', '),
        )
      for (const [side, answer] of [a, b].entries()) {
        const fault = faultOf(one, wires[side === 0 ? 0 : 1], answer)
        if (fault) return finding(`${NAMES[side]} ${fault}`)
      }
      const difference = differenceOf(one, [a, b], memory, wires)
      if (difference) return finding(difference)
      const path = one.path.split('/').slice(0, 3).join('/')
      learn(one, [a, b], memory, uidAt.get(path) ?? null)
      // Times of later writes are later ones, on both servers, so that lists sorted by them agree.
      if (one.method !== 'GET' && a.status < 300) await sleep(1)
      return { status: a.status, finding: null }
    },

    async stop() {
      await Promise.all(both.map((running) => running.stop()))
    },
  }
}

/** What matters of a finding: where and what, without names and numbers that differ each time. */
function signatureOf({ route, method }: Ask, words: string): string {
  const what = words.replaceAll(/"(?:[^"\\]|\\.)*"?/g, '"…"').replaceAll(/\d{4,}|[a-z0-9]{24}/g, '#')
  return (/error object|header/.test(words) ? what : `${method} ${route} ${what}`).slice(0, 160)
}
