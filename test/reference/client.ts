/** Sends the steps of recorded cases to a server. */
import { basename } from 'node:path'
import type { Memory } from './memory.ts'
import { fileBytes, type Json, type Recording, type Step, type Upload } from './recording.ts'

export interface RecordedResponse {
  readonly status: number
  readonly contentType: string | null
  readonly allow: string | null
  /** Parsed when it is JSON, null when it is empty. */
  readonly body: Json
}

export interface Client {
  send(step: Step, memory: Memory): Promise<RecordedResponse>
}

/** Knows the tokens of the recorded project, and signs in its users when needed. */
export function createClient(base: string, { seed, tokens }: Pick<Recording, 'seed' | 'tokens'>): Client {
  const credentials = new Map(
    seed.filter(({ path }) => path === '/api/auth/local/register').map(({ key, body }) => [key, body]),
  )
  const bearers = new Map(Object.entries(tokens))

  async function signIn(name: string) {
    const user = credentials.get(name)
    if (typeof user !== 'object' || user === null || Array.isArray(user))
      throw new Error(`There is no user ${name}`)
    const response = await fetch(`${base}/api/auth/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: user.username, password: user.password }),
    })
    const session: { jwt?: string } = JSON.parse(await response.text())
    if (!session.jwt) throw new Error(`${name} cannot sign in: ${response.status}`)
    bearers.set(name, session.jwt)
    return session.jwt
  }

  return {
    async send(step, memory) {
      const query = step.query === undefined ? '' : `?${memory.fillText(step.query)}`
      const headers = new Headers()
      for (const [name, value] of Object.entries(step.headers ?? {}))
        headers.set(name, memory.fillText(value))
      if (step.auth) {
        headers.set('authorization', `Bearer ${bearers.get(step.auth) ?? (await signIn(step.auth))}`)
      }
      const body = bodyOf(step, memory)
      if (typeof body === 'string' && !headers.has('content-type'))
        headers.set('content-type', 'application/json')

      const response = await fetch(base + memory.fillText(step.path) + query, {
        method: step.method,
        headers,
        body,
        redirect: 'manual',
      })
      const text = await response.text()
      const contentType = response.headers.get('content-type')?.split(';')[0] ?? null
      return {
        status: response.status,
        contentType,
        allow: response.headers.get('allow'),
        body: text === '' ? null : contentType === 'application/json' ? JSON.parse(text) : text,
      }
    },
  }
}

function bodyOf(step: Step, memory: Memory): string | FormData | null {
  if (step.upload) return formOf(step.upload, memory)
  if (step.rawBody !== undefined) return memory.fillText(step.rawBody)
  return step.body === undefined ? null : JSON.stringify(memory.fill(step.body))
}

function formOf({ files = [], fields = {} }: Upload, memory: Memory) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      const filled = memory.fill(item)
      form.append(name, typeof filled === 'object' ? JSON.stringify(filled) : String(filled))
    }
  }
  for (const { field = 'files', file, name = basename(file), type } of files) {
    form.append(field, new Blob([fileBytes(file)], { type }), name)
  }
  return form
}
