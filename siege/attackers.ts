/** Plays all attacks in a thread of its own, so that the measurements of the ordinary clients do not include its work. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { randomNumbers } from '../soak/random-numbers.ts'
import { messageOf } from '../src/errors.ts'
import type { Attack, Attacker, Target } from './attack.ts'
import { ACCOUNTS } from './attacks/accounts.ts'
import { CONNECTIONS } from './attacks/connections.ts'
import { COSTLY_READS } from './attacks/costly-reads.ts'
import { FEATURES } from './attacks/features.ts'
import { FILES_AND_FORMS } from './attacks/files.ts'
import { READS } from './attacks/reads.ts'
import { WRITES } from './attacks/writes.ts'
import { SECRETS } from './project.ts'
import { attackerAddress, createSender, type Reply } from './send.ts'

const ATTACKS: readonly Attack[] = [
  ...READS,
  ...COSTLY_READS,
  ...ACCOUNTS,
  ...WRITES,
  ...FILES_AND_FORMS,
  ...CONNECTIONS,
  ...FEATURES,
]

export interface AttackTally {
  readonly name: string
  runs: number
  /** How often each status was received; 0 for connections that the server closed without a response. */
  readonly statuses: Map<number, number>
  slowestMs: number
}

/** What the thread reports, every second and at the end. */
export interface AttackReport {
  readonly tallies: readonly AttackTally[]
  /** What must not happen, as sentences: the first hundred. */
  readonly breaches: readonly string[]
}

const MOST_BREACHES = 100
const QUIET_MS = 3_000

const { target, seconds, seed }: { target: Target; seconds: number; seed: number } = workerData
const end = performance.now() + seconds * 1000
const isOver = () => performance.now() >= end
const breaches: string[] = []
const report = (sentence: string) => {
  if (breaches.length < MOST_BREACHES) breaches.push(sentence)
}

/** A server may close the connection of an attacker while it still sends, or let it wait. */
const isClosed = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  ['ECONNRESET', 'EPIPE', 'ABORT_ERR'].includes(String(error.code))

const countStatus = ({ statuses }: AttackTally, status: number) =>
  void statuses.set(status, (statuses.get(status) ?? 0) + 1)

function checkReply(tally: AttackTally, request: string, { status, headers, text }: Reply) {
  countStatus(tally, status)
  if (status >= 500 && !(status === 503 && headers['retry-after'] !== undefined))
    report(`${tally.name}: ${request} returned ${status} ${text.slice(0, 200)}`)
  if (SECRETS.some((secret) => text.includes(secret))) report(`${tally.name}: ${request} returned a secret`)
}

/** Connections of one address are shared by its requests; addresses that send rarely keep none. */
function senderFrom(number: number) {
  return createSender(target.base, attackerAddress(number))
}

function createAttacker(tally: AttackTally, number: number): Attacker & { close(): void } {
  const own = senderFrom(number)
  const timed = async (work: () => Promise<Reply>, path: string) => {
    const start = performance.now()
    const reply = await work()
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - start)
    checkReply(tally, path.slice(0, 200), reply)
    return reply
  }
  return {
    ...target,
    draw: randomNumbers(seed * 1000 + number),
    report: (sentence) => report(`${tally.name}: ${sentence}`),
    send: (path, options) => timed(() => own.send(path, options), path),
    sendUnchecked: (path, options) => own.send(path, options),
    async sendFrom(address, path, options) {
      const sender = senderFrom(address)
      try {
        return await timed(() => sender.send(path, options), path)
      } finally {
        sender.close()
      }
    },
    async sendBytes(bytes) {
      const { hostname, port } = new URL(target.base)
      const socket = connect({
        port: Number(port),
        host: hostname,
        localAddress: attackerAddress(number),
      })
      let text = ''
      const { promise, resolve } = Promise.withResolvers<void>()
      socket.setTimeout(QUIET_MS, resolve)
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve())
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
      await promise
      socket.destroy()
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
      countStatus(tally, status)
      if (status >= 500 && !(status === 503 && /\r\nretry-after:/i.test(text)))
        report(`${tally.name}: ${String(bytes).slice(0, 80)} returned ${text.slice(0, 200)}`)
      return text
    },
    close: () => own.close(),
  }
}

async function play(attack: Attack, tally: AttackTally, number: number): Promise<void> {
  const attacker = createAttacker(tally, number)
  while (!isOver()) {
    try {
      await attack.run(attacker)
    } catch (error) {
      if (isClosed(error)) countStatus(tally, 0)
      else report(`${attack.name}: ${messageOf(error)}`)
    }
    tally.runs += 1
    await sleep(attacker.draw(2 * attack.pauseMs))
  }
  attacker.close()
}

const tallies = ATTACKS.map(({ name }): AttackTally => ({ name, runs: 0, statuses: new Map(), slowestMs: 0 }))
const post = () => parentPort?.postMessage({ tallies, breaches } satisfies AttackReport)
const reporting = setInterval(post, 1_000)
let number = 0
await Promise.all(
  ATTACKS.flatMap((attack, index) =>
    Array.from({ length: attack.attackers ?? 1 }, () => {
      const tally = tallies[index]
      number += 1
      return tally ? play(attack, tally, number) : undefined
    }),
  ),
)
clearInterval(reporting)
post()
