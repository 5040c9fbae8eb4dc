/** An attack, and what it uses: requests whose responses are checked, raw bytes, and reports of what must not happen. */
import type { Counts } from '../test/support/notes-and-tags.ts'
import type { Reply, RequestOptions } from './send.ts'

/** What attackers know about the server. */
export interface Target {
  readonly base: string
  readonly counts: Counts
  /** A session of a user with the role `authenticated`, who belongs to the attackers. */
  readonly userToken: string
  /** A draft that is not approved, so that nobody with this role may publish it. */
  readonly draftId: string
  /** A document of a content-type that attackers may not read. */
  readonly vaultId: string
}

export interface Attacker extends Target {
  /** Sends a request and checks its response: no 5xx but 503 with Retry-After, and none of the secrets. */
  send(path: string, options?: RequestOptions): Promise<Reply>
  /** Sends a request of an ordinary client, whose response may contain what others must not see. */
  sendUnchecked(path: string, options?: RequestOptions): Promise<Reply>
  /** Sends a request from another address. */
  sendFrom(address: number, path: string, options?: RequestOptions): Promise<Reply>
  /** Sends bytes on a connection of their own. Returns what was received when the server closed it, or after some seconds without a byte. */
  sendBytes(bytes: string | Buffer): Promise<string>
  /** A random integer below the bound. */
  draw(below: number): number
  /** Reports something that must not happen. */
  report(sentence: string): void
}

export interface Attack {
  readonly name: string
  /** The pause after each run. */
  readonly pauseMs: number
  /** How many attackers play it at the same time: one unless given. */
  readonly attackers?: number
  run(attacker: Attacker): Promise<void>
}

/** Whether the server has refused a request for lack of capacity or because of too many attempts. */
export const isRefused = ({ status }: Reply): boolean => status === 503 || status === 429

/** Reports a response whose status is neither a refusal nor one of those expected. */
export function expectStatus(
  attacker: Attacker,
  request: string,
  reply: Reply,
  expected: readonly number[],
): void {
  if (!isRefused(reply) && !expected.includes(reply.status))
    attacker.report(`${request} returned ${reply.status} ${reply.text.slice(0, 200)}`)
}

/** One of the values. */
export function pick<Value>({ draw }: Attacker, values: readonly [Value, ...Value[]]): Value {
  return values[draw(values.length)] ?? values[0]
}
