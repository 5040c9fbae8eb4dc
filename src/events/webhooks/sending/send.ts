/**
 * Sends one delivery. The address is checked when the connection is made, after the name was resolved, so that the
 * checked address is the one that is connected to. Redirects are not followed.
 */
import { lookup as resolveName } from 'node:dns/promises'
import { setMaxListeners } from 'node:events'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { messageOf } from '../../../errors.ts'
import { isObject } from '../../../project/values.ts'
import type { AddressRules } from './address-rules.ts'
import { parseRetryAfter } from './retry-schedule.ts'

export interface Outcome {
  /** When the attempt began. */
  readonly at: string
  /** Null if there was no response. */
  readonly status: number | null
  readonly durationMs: number
  /** The beginning of the response. */
  readonly response: string | null
  /** Why it failed; null for a success. */
  readonly error: string | null
  /** What a `Retry-After` header asked for. */
  readonly retryAfterMs: number | null
}

export interface SendRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export interface SenderOptions {
  readonly rules: AddressRules
  readonly timeoutMs: number
  /** All addresses of a host name. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>
}

export interface Sender {
  /** Resolves with what happened; null if the sender was closed meanwhile, and nothing is known. */
  send(request: SendRequest): Promise<Outcome | null>
  /** Aborts what is in progress. */
  close(): void
}

/** Of a response, this much is kept, and this much is read. */
const MAX_KEPT_BYTES = 1_024
const MAX_READ_BYTES = 65_536
const MAX_IDLE_SOCKETS = 100

interface Received {
  readonly status: number
  readonly response: string
  readonly retryAfter: string | undefined
}

class RefusedAddress extends Error {}

/** The server closed an idle connection just when it was used again. Nothing was received. */
class StaleConnection extends Error {}

export function createSender({ rules, timeoutMs, resolve = resolveAll }: SenderOptions): Sender {
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const agentOptions = { keepAlive: true, maxFreeSockets: MAX_IDLE_SOCKETS }
  const agents = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) }

  const refuse = (host: string) =>
    new RefusedAddress(`${host} has no public address; to allow it, add it to webhooks.allow`)

  const lookup: LookupFunction = (host, options, callback) => {
    resolve(host)
      .then((addresses) => {
        const family = options.family === 4 || options.family === 6 ? options.family : null
        const allowed = addresses.filter(
          (one) => (family === null || one.family === family) && rules.isAllowed(host, one.address),
        )
        const [first] = allowed
        if (!first) callback(refuse(host), '')
        else if (options.all) callback(null, [...allowed])
        else callback(null, first.address, first.family)
      })
      .catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), ''))
  }

  function attempt({ url, headers, body }: SendRequest): Promise<Received> {
    const { promise, resolve: done, reject } = Promise.withResolvers<Received>()
    const target = new URL(url)
    const host = target.hostname.replace(/^\[|\]$/g, '')
    // A name is checked by `lookup`, which is not called for addresses.
    if (isIP(host) !== 0 && !rules.isAllowed(host, host)) throw refuse(host)
    const isSecure = target.protocol === 'https:'
    const bytes = Buffer.from(body)
    const sent = (isSecure ? httpsRequest : httpRequest)(target, {
      method: 'POST',
      agent: isSecure ? agents.https : agents.http,
      lookup,
      headers: { ...headers, 'content-length': bytes.length },
      signal: closing.signal,
    })
    let hasResponse = false
    // A response counts by its status, even if its body does not end.
    const timer = setTimeout(
      () => sent.destroy(hasResponse ? undefined : new Error(`No response within ${timeoutMs / 1000} s`)),
      timeoutMs,
    )
    sent
      .on('error', (error) => {
        const isStale = sent.reusedSocket && isObject(error) && error.code === 'ECONNRESET'
        reject(isStale ? new StaleConnection() : error)
      })
      .on('response', (response) => {
        hasResponse = true
        const { statusCode = 0, headers: received } = response
        void beginningOf(response).then((text) => {
          done({ status: statusCode, response: text, retryAfter: received['retry-after'] })
          if (!response.complete) sent.destroy()
        })
      })
      .on('close', () => {
        clearTimeout(timer)
        if (!hasResponse) reject(new Error('The connection was closed without a response'))
      })
      .end(bytes)
    return promise
  }

  const attemptAgainIfStale = async (request: SendRequest) => {
    for (;;) {
      try {
        return await attempt(request)
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error
      }
    }
  }

  return {
    async send(request) {
      const at = new Date().toISOString()
      const start = performance.now()
      const duration = () => Math.round(performance.now() - start)
      try {
        const { status, response, retryAfter } = await attemptAgainIfStale(request)
        const isSuccess = status >= 200 && status < 300
        return {
          ...{ at, status, response, durationMs: duration() },
          error: isSuccess ? null : failureOf(status),
          retryAfterMs: parseRetryAfter(retryAfter, Date.now()),
        }
      } catch (error) {
        if (closing.signal.aborted) return null
        const failed = { at, status: null, response: null, durationMs: duration(), retryAfterMs: null }
        return { ...failed, error: messageOf(error) || 'The connection failed' }
      }
    },
    close() {
      closing.abort()
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

const resolveAll = (host: string) => resolveName(host, { all: true })

const failureOf = (status: number) =>
  status >= 300 && status < 400
    ? `The receiver responded with ${status}; redirects are not followed`
    : `The receiver responded with ${status}`

/** Reads a response up to a limit; returns the beginning, even of one that is cut off. */
function beginningOf(response: IncomingMessage): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const kept: Buffer[] = []
  let read = 0
  const finish = () => {
    const text = Buffer.concat(kept).subarray(0, MAX_KEPT_BYTES).toString('utf8')
    // PostgreSQL rejects strings with a NUL.
    resolve(text.replaceAll('\0', ''))
  }
  response
    .on('data', (chunk: Buffer) => {
      if (read < MAX_KEPT_BYTES) kept.push(chunk)
      read += chunk.length
      if (read > MAX_READ_BYTES) finish()
    })
    .on('end', finish)
    .on('error', finish)
    .on('close', finish)
  return promise
}
