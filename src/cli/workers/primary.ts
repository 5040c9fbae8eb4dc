/**
 * The process that leads workers: starts them, gives them turns to write, replaces those that die, and exchanges them
 * one by one on demand. It serves nothing itself, so that there is little that could end it.
 */
import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../project/config/config.ts'
import { createSiblingsFile } from '../../store/postgres/sibling-processes.ts'
import { listenProblem, UsageError } from '../error-message.ts'
import type { FromWorker } from './messages.ts'
import { createGathering } from './metrics.ts'
import type { Count } from './rate-limit-counts.ts'
import { createTurns } from './turn-queue.ts'
import { endMember, type Member, say, startMember } from './worker-process.ts'

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
  const port = server.port === 0 ? await freePort(server.host) : server.port
  const members = new Set<Member>()
  const turns = createTurns<Member>((member) => say(member, { octavo: 'turn' }))
  const gathering = createGathering<Member>((member, question) => say(member, { octavo: 'tell', question }))
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-workers-'))
  const siblings = path.join(folder, randomUUID())
  // Each may have its successor beside it.
  createSiblingsFile(siblings, 2 * count)
  cluster.schedulingPolicy = cluster.SCHED_RR
  let stopping = false
  let deaths = 0
  // A new worker would know nothing of a disk that has failed, and acknowledge what is not safe.
  let inDoubt = false

  const freePlace = () => {
    const taken = new Set([...members].map(({ place }) => place))
    let place = 0
    while (taken.has(place)) place++
    return place
  }

  function start(first = false): Member {
    const member = startMember({ place: freePlace(), siblings, first, port, inDoubt }, hear)
    members.add(member)
    void member.ended.then(() => {
      members.delete(member)
      turns.leave(member)
    })
    return member
  }

  function hear(member: Member, message: FromWorker) {
    if (message.octavo === 'ask') turns.ask(member)
    else if (message.octavo === 'give') turns.give(member)
    else if (message.octavo === 'doubts') doubt(member)
    else if (message.octavo === 'count') tellOthers(member, message.counts)
    else if (message.octavo === 'gather') void gatherFor(member, message.wish)
    else if (message.octavo === 'figures') gathering.told(member, message.question, message.figures)
  }

  function doubt(member: Member) {
    inDoubt = true
    for (const other of members) if (other !== member) say(other, { octavo: 'doubt' })
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

  /** From now on another worker takes the place of this one when it dies. */
  async function keep(member: Member) {
    const why = await member.ended
    if (member.told || stopping) return
    const lived = performance.now() - member.born
    deaths = lived < SETTLED_MS ? deaths + 1 : 1
    if (deaths >= TRIES && ![...members].some(({ serving }) => serving)) {
      log.error(`No worker stays alive: ${why}`)
      process.exit(1)
    }
    const pause = deaths === 1 ? 0 : Math.min(PAUSE.first * 2 ** (deaths - 2), PAUSE.most)
    const next = pause === 0 ? 'another takes its place' : `another is tried in ${pause} ms`
    log.error(`Worker ${nameOf(member)} has died after ${Math.round(lived)} ms (${why}); ${next}`)
    await sleep(pause)
    if (!stopping) void keep(start())
  }

  const end = (member: Member) =>
    endMember(member, server.graceSeconds * 1000 + CLOSING_MS, () =>
      log.warn(`Worker ${nameOf(member)} did not end in time and is killed`),
    )

  async function exchangeAll() {
    const former = [...members].filter(({ told }) => !told)
    for (const old of former) {
      const next = start()
      if ((await next.serves) === null) {
        const why = await next.ended
        log.error(`The workers stay as they are, since a new one cannot start: ${why}`)
        return
      }
      if (stopping) return
      // One that died meanwhile has its successor already.
      if (members.has(old)) void keep(next)
      await end(members.has(old) ? old : next)
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
        log.error(`Worker ${nameOf(member)} gave no sign of life for ${server.stuckSeconds} seconds`)
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

  const first = start(true)
  const address = await first.serves
  if (address === null) {
    await stop()
    throw new UsageError(first.words ?? 'The first worker has died while it started')
  }
  void keep(first)
  const others = Array.from({ length: count - 1 }, () => start())
  for (const other of others) void keep(other)
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

const nameOf = ({ worker }: Member) => worker.process.pid

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
