/** Sends requests to a listening server, with functions for users and e-mails. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OctavoServer } from '../../src/http/app.ts'
import { type HttpResponse, sendRequest } from '../support/http-request.ts'
import { jsonAt } from '../support/json-body.ts'
import { TOKENS } from './project.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

export interface RequestOptions {
  /** The bearer credential. */
  readonly as?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The client's address, as a proxy on this machine reports it. The server must trust 127.0.0.1. */
  readonly from?: string
}

export interface TestResponse extends HttpResponse {
  /** The value at a path of the parsed body. */
  at(...path: readonly (string | number)[]): unknown
}

type RunningServer = Pick<OctavoServer, 'app'>

/** Sends one request over the network. The url is sent as it is: `fetch` would normalise it. */
export async function request(
  server: RunningServer,
  method: Method,
  url: string,
  { as, body, headers = {}, from }: RequestOptions = {},
): Promise<TestResponse> {
  const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const forwardedFor = [headers['x-forwarded-for'] ?? [], from ?? []].flat().join(', ')
  const {
    status,
    headers: received,
    text,
  } = await sendRequest(
    server,
    method,
    url,
    {
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...headers,
      ...(forwardedFor === '' ? {} : { 'x-forwarded-for': forwardedFor }),
    },
    content,
  )
  return { status, headers: received, text, at: jsonAt(text) }
}

/**
 * The headers with which a request to another process sees everything written so far. On SQLite every process sees writes
 * immediately, and there is no position.
 */
export async function afterWrites(server: RunningServer): Promise<Readonly<Record<string, string>>> {
  const { headers } = await request(server, 'POST', '/api/topics', {
    as: TOKENS.full,
    body: { data: { name: 'Written last' } },
  })
  const position = headers['octavo-position']
  return typeof position === 'string' ? { 'octavo-position': position } : {}
}

export interface TestUser {
  readonly username: string
  readonly email: string
  readonly password: string
  readonly jwt: string
  readonly refreshToken: string
  readonly id: number
  readonly documentId: string
}

/** Registers a user and signs them in. */
export async function signUp(server: RunningServer, username: string): Promise<TestUser> {
  const email = `${username}@example.test`
  const password = `${username}-Passw0rd`
  const response = await request(server, 'POST', '/api/auth/local/register', {
    body: { username, email, password },
  })
  if (response.status !== 200) throw new Error(`Registration of ${username} failed: ${response.text}`)
  return {
    username,
    email,
    password,
    jwt: String(response.at('jwt')),
    refreshToken: String(response.at('refreshToken')),
    id: Number(response.at('user', 'id')),
    documentId: String(response.at('user', 'documentId')),
  }
}

export const signIn = (
  server: RunningServer,
  identifier: string,
  password: string,
  options: RequestOptions = {},
) => request(server, 'POST', '/api/auth/local', { ...options, body: { identifier, password } })

/** Gives a user the role of a type. */
export async function giveRole(server: OctavoServer, person: TestUser, role: string, full: string) {
  const documentId = await server.access.roles.documentIdOf(role)
  const response = await request(server, 'PUT', `/api/users/${person.id}`, {
    as: full,
    body: { role: documentId },
  })
  if (response.status !== 200)
    throw new Error(`Setting the role of ${person.username} failed: ${response.text}`)
}

/** The e-mails that the server has sent so far, oldest first. */
export async function sentMails(server: OctavoServer): Promise<string[]> {
  await server.access.settled()
  const folder = join(server.project.dir, '.octavo', 'mail')
  return readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
}

export const sentCodes = async (server: OctavoServer): Promise<string[]> =>
  (await sentMails(server)).map((mail) => /(code_[\w-]+)/.exec(mail)?.[1] ?? '')
