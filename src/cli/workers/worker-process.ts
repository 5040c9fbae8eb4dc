/** One worker as the leading process sees it: started, told things, brought to its end. */
import cluster, { type Worker } from 'node:cluster'
import { closeUnconfirmed } from './connections.ts'
import { ASSIGNMENT, type Assignment, type FromWorker, isFromWorker, type ToWorker } from './messages.ts'

export interface Member {
  readonly worker: Worker
  readonly place: number
  readonly born: number
  /** Resolves with its address when it serves, with null when it has ended instead. */
  readonly serves: Promise<string | null>
  /** Resolves with the words for how it has ended. */
  readonly ended: Promise<string>
  serving: boolean
  /** How often it was asked whether it lives since it last said something. */
  asked: number
  /** Whether it was told to end. */
  told: boolean
  /** Why it could not start, in its own words. */
  words: string | null
}

/** Starts a worker; `hear` is called with what it says. */
export function startMember(
  assignment: Assignment,
  hear: (member: Member, message: FromWorker) => void,
): Member {
  const worker = cluster.fork({ [ASSIGNMENT]: JSON.stringify(assignment) })
  closeUnconfirmed(worker)
  const ended = Promise.withResolvers<string>()
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
    words: null,
  }
  worker.on('message', (message: unknown) => {
    if (!isFromWorker(message)) return
    member.asked = 0
    if (message.octavo === 'serves') {
      member.serving = true
      serves.resolve(message.address)
    } else if (message.octavo === 'fails') member.words = message.words
    else hear(member, message)
  })
  worker.on('error', () => {})
  worker.on('exit', (code, signal) => {
    serves.resolve(null)
    ended.resolve(member.words ?? `it ended with ${signal ?? `code ${code}`}`)
  })
  return member
}

/** Tells a worker something. One that is going away hears nothing any more, and its end is noticed anyway. */
export function say(member: Member, message: ToWorker): void {
  if (member.worker.isConnected()) member.worker.send(message, () => {})
}

/** Brings a worker to its end; one that takes longer than so many milliseconds is killed, and `late` called. */
export async function endMember(member: Member, patience: number, late: () => void): Promise<void> {
  if (!member.told) {
    member.told = true
    if (member.serving) say(member, { octavo: 'end' })
    // It does not listen yet, and there is nothing that it would have to bring to an end.
    else member.worker.process.kill('SIGTERM')
  }
  const timer = setTimeout(() => {
    late()
    member.worker.process.kill('SIGKILL')
  }, patience)
  await member.ended
  clearTimeout(timer)
}
