/**
 * The process that leads workers: starts them, gives them turns to write, replaces those that die, and exchanges them
 * one by one on demand. It serves nothing itself, so that there is little that could end it.
 */
import cluster, { type Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../project/config.ts'
import { makeSiblings } from '../../store/siblings.ts'
import { listenProblem, UsageError } from '../explain.ts'
import type { Count } from './counts.ts'
import { createGathering } from './figures.ts'
import { ASSIGNMENT, type Assignment, isFromWorker, type ToWorker } from './messages.ts'
import { createTurns } from './turns.ts'

export interface LeadOptions {
  readonly count: number
  readonly server: Config['server']
  readonly log: Log
}

export interface Log {
  info(words: string): void
  warn(words: string): void
  error(words: string): void
}

export interface Lead {
  /** Where the workers listen. */
  readonly address: string
  /** Exchanges every worker for a new one, one after the other; a new one serves before an old one ends. */
  exchange(): Promise<void>
  /** Has every worker answer what it was asked, and end. */
  stop(): Promise<void>
}

interface Member {
  readonly worker: Worker
  readonly place: number
  readonly born: number
  /** Resolves with its address when it serves, with null when it has ended instead. */
  readonly serves: Promise<string | null>
  readonly ended: Promise<void>
  serving: boolean
  /** How often it was asked whether it lives since it last said something. */
  asked: number
  /** Whether it was told to end. */
  told: boolean
  /** Whether another takes its place when it dies. */
  kept: boolean
  /** Why it could not start, in its own words. */
  words: string | null
}

/** A worker that lives this long has not died of its start. */
const SETTLED_MS = 10_000
const PAUSE = { first: 200, most: 30_000 }
/** So many that die at once one after the other, while none serves, and there is no point in another. */
const TRIES = 5
/** So many questions without an answer and a worker is stuck. */
const QUESTIONS = 4
/** What a worker needs beyond its grace to close what it has open. */
const CLOSING_MS = 5_000

/** Starts the workers; resolves when all of them serve. What keeps the first from serving is told in its words. */
export async function lead({ count, server, log }: LeadOptions): Promise<Lead> {
  const { graceSeconds } = server
  const port = server.port === 0 ? await freePort(server.host) : server.port
  const members = new Set<Member>()
  const turns = createTurns<Member>((member) => say(member, { octavo: 'turn' }))
  const gathering = createGathering<Member>((member, question) => say(member, { octavo: 'tell', question }))
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-workers-'))
  const siblings = path.join(folder, randomUUID())
  // Each may have its successor beside it.
  makeSiblings(siblings, 2 * count)
  cluster.schedulingPolicy = cluster.SCHED_RR
  let stopping = false
  let deaths = 0

  const freePlace = () => {
    const taken = new Set([...members].map(({ place }) => place))
    let place = 0
    while (taken.has(place)) place++
    return place
  }

  function start({ first = false, kept = true } = {}): Member {
    const assignment: Assignment = { place: freePlace(), siblings, first, port }
    const worker = cluster.fork({ [ASSIGNMENT]: JSON.stringify(assignment) })
    const ended = Promise.withResolvers<void>()
    const serves = Promise.withResolvers<string | null>()
    const member: Member = {
      worker,
      place: assignment.place,
      born: performance.now(),
      serves: serves.promise,
      ended: ended.promise,
      serving: false,
      asked: 0,
      told: false,
      kept,
      words: null,
    }
    members.add(member)
    worker.on('message', (message: unknown) => {
      if (!isFromWorker(message)) return
      member.asked = 0
      if (message.octavo === 'serves') {
        member.serving = true
        serves.resolve(message.address)
      } else if (message.octavo === 'fails') member.words = message.words
      else if (message.octavo === 'ask') turns.ask(member)
      else if (message.octavo === 'give') turns.give(member)
      else if (message.octavo === 'lives') return
      else if (message.octavo === 'count') tellOthers(member, message.counts)
      else if (message.octavo === 'gather') void gatherFor(member, message.wish)
      else gathering.told(member, message.question, message.figures)
    })
    worker.on('error', () => {})
    worker.on('exit', (code, signal) => {
      members.delete(member)
      turns.leave(member)
      serves.resolve(null)
      ended.resolve()
      if (member.kept && !member.told && !stopping) void replace(member, signal ?? `code ${code}`)
    })
    return member
  }

  function tellOthers(member: Member, counts: readonly Count[]) {
    for (const other of members) if (other !== member) say(other, { octavo: 'counted', counts })
  }

  async function gatherFor(member: Member, wish: number) {
    const found = await gathering.gather([...members].filter(({ serving }) => serving))
    const ordered = [...found].sort(([one], [other]) => one.place - other.place)
    const figures = ordered.map(([{ place }, own]) => [String(place), own] as const)
    say(member, { octavo: 'gathered', wish, figures })
  }

  /** Puts another worker in the place of one that has died. */
  async function replace(dead: Member, how: string) {
    const lived = performance.now() - dead.born
    deaths = lived < SETTLED_MS ? deaths + 1 : 1
    const why = dead.words ?? `it ended with ${how}`
    if (deaths >= TRIES && ![...members].some(({ serving }) => serving)) {
      log.error(`No worker stays alive: ${why}`)
      process.exit(1)
    }
    const pause = deaths === 1 ? 0 : Math.min(PAUSE.first * 2 ** (deaths - 2), PAUSE.most)
    const next = pause === 0 ? 'another takes its place' : `another is tried in ${pause} ms`
    log.error(`Worker ${dead.worker.process.pid} has died after ${Math.round(lived)} ms (${why}); ${next}`)
    await sleep(pause)
    if (!stopping) start()
  }

  async function end(member: Member) {
    if (member.told) return member.ended
    member.told = true
    if (member.serving) say(member, { octavo: 'end' })
    // It does not listen yet, and there is nothing that it would have to bring to an end.
    else member.worker.process.kill('SIGTERM')
    const kill = setTimeout(
      () => {
        log.warn(`Worker ${member.worker.process.pid} did not end in time and is killed`)
        member.worker.process.kill('SIGKILL')
      },
      graceSeconds * 1000 + CLOSING_MS,
    )
    await member.ended
    clearTimeout(kill)
  }

  async function exchangeAll() {
    const former = [...members].filter(({ told }) => !told)
    for (const old of former) {
      if (stopping) return
      const next = start({ kept: false })
      if ((await next.serves) === null) {
        log.error(
          `The workers stay as they are, since a new one cannot start: ${next.words ?? 'it has died'}`,
        )
        return
      }
      next.kept = true
      await end(old)
    }
    log.info(`All ${former.length} workers were exchanged`)
  }

  let exchanging: Promise<void> | null = null
  let again = false
  async function exchange() {
    do {
      again = false
      await exchangeAll()
    } while (again)
    exchanging = null
  }

  /** Asks workers that serve whether they live; those that have not answered for too long are killed. */
  function look() {
    for (const member of members) {
      if (!member.serving) continue
      // Counted, not timed: a machine that was asleep has not asked meanwhile.
      if (member.asked === QUESTIONS) {
        const { stuckSeconds } = server
        log.error(`Worker ${member.worker.process.pid} gave no sign of life for ${stuckSeconds} seconds`)
        member.worker.process.kill('SIGKILL')
      } else say(member, { octavo: 'live?' })
      member.asked += 1
    }
  }
  const looking = server.stuckSeconds > 0 ? setInterval(look, (server.stuckSeconds * 1000) / QUESTIONS) : null

  async function stop() {
    stopping = true
    if (looking) clearInterval(looking)
    await Promise.all([...members].map(end))
    rmSync(folder, { recursive: true, force: true })
  }

  const first = start({ first: true, kept: false })
  const address = await first.serves
  if (address === null) {
    await stop()
    throw new UsageError(first.words ?? 'The first worker has died while it started')
  }
  first.kept = true
  const others = Array.from({ length: count - 1 }, () => start())
  await Promise.all(others.map(({ serves }) => serves))
  return {
    address,
    exchange() {
      again = exchanging !== null
      exchanging ??= exchange()
      return exchanging
    },
    stop,
  }
}

/** A port that is free at the moment. */
async function freePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening').catch((error: unknown) => {
    throw listenProblem(error, host, 0)
  })
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

function say(member: Member, message: ToWorker) {
  // One that is going away hears nothing any more, and its end is noticed anyway.
  if (member.worker.isConnected()) member.worker.send(message, () => {})
}
