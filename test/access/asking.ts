/** Requests to a server under test, without a network between. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OctavoServer } from '../../src/http/app.ts'
import { jsonAt } from '../support/json-body.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

export interface Asked {
  /** The bearer credential. */
  readonly as?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The address the request comes from. */
  readonly from?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** What stands at a path of the parsed body. */
  at(...path: readonly (string | number)[]): unknown
}

type Asking = Pick<OctavoServer, 'app'>

/** Sends one request and gives back the answer. */
export async function ask(
  { app }: Asking,
  method: Method,
  url: string,
  { as, body, headers = {}, from = '127.0.0.1' }: Asked = {},
): Promise<Answer> {
  const response = await app.inject({
    method,
    url,
    remoteAddress: from,
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = response.body
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    at: jsonAt(text),
  }
}

export interface Person {
  readonly username: string
  readonly email: string
  readonly password: string
  readonly jwt: string
  readonly refreshToken: string
  readonly id: number
  readonly documentId: string
}

/** Registers a user and signs them in. */
export async function signUp(server: Asking, username: string): Promise<Person> {
  const email = `${username}@example.test`
  const password = `${username}-Passw0rd`
  const answer = await ask(server, 'POST', '/api/auth/local/register', {
    body: { username, email, password },
  })
  if (answer.status !== 200) throw new Error(`${username} cannot register: ${answer.text}`)
  return {
    username,
    email,
    password,
    jwt: String(answer.at('jwt')),
    refreshToken: String(answer.at('refreshToken')),
    id: Number(answer.at('user', 'id')),
    documentId: String(answer.at('user', 'documentId')),
  }
}

/** The answer to a sign-in. */
export const signIn = (server: Asking, identifier: string, password: string, asked: Asked = {}) =>
  ask(server, 'POST', '/api/auth/local', { ...asked, body: { identifier, password } })

/** Gives a user the role of a type. */
export async function giveRole(server: OctavoServer, person: Person, role: string, full: string) {
  const documentId = await server.access.roles.documentOf(role)
  const answer = await ask(server, 'PUT', `/api/users/${person.id}`, { as: full, body: { role: documentId } })
  if (answer.status !== 200) throw new Error(`${person.username} gets no role: ${answer.text}`)
}

/** The e-mails that the server has written so far, oldest first. */
export async function mailedLetters(server: OctavoServer): Promise<string[]> {
  await server.access.settled()
  const folder = join(server.project.dir, '.octavo', 'mail')
  return readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
}

/** The codes in them. */
export const mailedCodes = async (server: OctavoServer): Promise<string[]> =>
  (await mailedLetters(server)).map((letter) => /(code_[\w-]+)/.exec(letter)?.[1] ?? '')
