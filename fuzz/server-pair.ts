/** Two servers with the same project and content, one on each engine, that receive the same requests. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Model } from '../src/model/model.ts'
import { parseModel } from '../src/model/parse-model.ts'
import { schemaFile } from '../src/project/source.ts'
import { createClient } from '../test/reference/client.ts'
import { fileBytes, loadRecording } from '../test/reference/recording.ts'
import { seedServer } from '../test/reference/replay.ts'
import { findDifference, findFault, type Response, recordDocumentIds, recordIds } from './check-response.ts'
import { KnownIds } from './known-ids.ts'
import { type FuzzRequest, toWireRequest, type WireRequest } from './request.ts'
import { send, startServer } from './server-process.ts'

export interface Finding {
  /** Findings with the same signature count as one. */
  readonly signature: string
  readonly description: string
  /** Whether the content of the two servers may differ from now on. */
  readonly diverged: boolean
  readonly requests: readonly [WireRequest, WireRequest]
  readonly responses: readonly (Response | string)[]
}

export interface PairResult {
  readonly status: number | null
  readonly finding: Finding | null
}

export interface ServerPair {
  /** Reads the current model and refreshes the known ids. */
  refresh(): Promise<Model>
  /** Sends a request to both servers and returns what is wrong. */
  check(ask: FuzzRequest): Promise<PairResult>
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

/** Starts both servers on empty databases and creates the same content in each. */
export async function startServerPair(urls: readonly [string, string]): Promise<ServerPair> {
  const started = await Promise.all(urls.map(startServer))
  const [first, second] = started
  if (!first || !second) throw new Error('Two database URLs are required')
  const both = [first, second] as const
  const memory = new KnownIds()
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

  /** Registers a new user and stores the credentials. */
  async function newPerson(name: string) {
    const username = `${name}-${++people}`.toLowerCase()
    const account = { username, email: `${username}@people.test`, password: `${username}-Passw0rd` }
    const made = await ask('POST', '/api/auth/local/register', null, account)
    bearers.set(name, [String(made[0]?.body.jwt), String(made[1]?.body.jwt)])
    return made.map(({ body }) => Number(body.user.id))
  }

  /** A user whose credential is no longer valid. */
  async function newBlocked() {
    const ids = await newPerson('blocked')
    await ask('PUT', (side) => `/api/users/${ids[side]}`, 'full', { blocked: true })
  }

  /** Replaces credentials that a request has revoked. */
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
      if (a && b) recordDocumentIds(type.uid, a.body?.data, b.body?.data, memory)
    }
    const [files, sameFiles] = await ask('GET', '/api/upload/files?limit=20', 'full')
    recordDocumentIds('plugin::upload.file', files?.body, sameFiles?.body, memory)
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

    async check(one) {
      const authorizations = both.map((_, side) => {
        if (one.as === 'nobody') return null
        if (one.as === 'bad') return BAD[bad % BAD.length] ?? null
        return `Bearer ${bearers.get(one.as)?.[side]}`
      })
      if (one.as === 'bad') bad += 1
      const wireFor = (side: 0 | 1) =>
        toWireRequest(
          one,
          authorizations[side] ?? null,
          (pool, index) => memory.find(pool, index, side),
          fileBytes,
        )
      const wires = [wireFor(0), wireFor(1)] as const
      const [a, b] = await Promise.all([send(first, wires[0]), send(second, wires[1])])
      const parted =
        one.method !== 'GET' && (typeof a === 'string' || typeof b === 'string' || a.status !== b.status)
      const finding = (words: string): PairResult => ({
        status: null,
        finding: {
          diverged: parted,
          signature: signatureOf(one, words),
          description: words,
          requests: wires,
          responses: [a, b],
        },
      })
      if (typeof a === 'string' || typeof b === 'string')
        return finding(
          [a, b]
            .map((answer, side) => `${NAMES[side]}: ${typeof answer === 'string' ? answer : answer.status}`)
            .join(', '),
        )
      for (const [side, answer] of [a, b].entries()) {
        const fault = findFault(one, wires[side === 0 ? 0 : 1], answer)
        if (fault) return finding(`${NAMES[side]} ${fault}`)
      }
      const difference = findDifference(one, [a, b], memory, wires)
      if (difference) return finding(difference)
      const path = one.path.split('/').slice(0, 3).join('/')
      recordIds(one, [a, b], memory, uidAt.get(path) ?? null)
      // Wait, so that timestamps increase on both servers and lists sorted by them agree.
      if (one.method !== 'GET' && a.status < 300) await sleep(1)
      return { status: a.status, finding: null }
    },

    async stop() {
      await Promise.all(both.map((running) => running.stop()))
    },
  }
}

/** A finding without the ids and numbers that differ in every run. */
function signatureOf({ route, method }: FuzzRequest, words: string): string {
  const what = words.replaceAll(/"(?:[^"\\]|\\.)*"?/g, '"…"').replaceAll(/\d{4,}|[a-z0-9]{24}/g, '#')
  return (/error object|header/.test(words) ? what : `${method} ${route} ${what}`).slice(0, 160)
}
