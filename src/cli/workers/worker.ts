/** What a worker of several has beside a server: its turn to write, its place among the others, and its end when told. */
import cluster from 'node:cluster'
import { openSiblings, type Siblings } from '../../store/siblings.ts'
import { ASSIGNMENT, type Assignment, type FromWorker, isToWorker } from './messages.ts'
import { type AskedTurn, createTurn } from './turn.ts'

export interface Membership {
  readonly turn: AskedTurn
  readonly siblings: Siblings
  /** Whether this one does what is done once for all of them. */
  readonly first: boolean
  serves(address: string): void
  /** Tells why there will be no server, and exits. */
  fails(words: string): void
}

/** Joins the workers; `end` is called when this one shall end, or when nobody leads any more. */
export function join(waitSeconds: number, end: () => void): Membership {
  const say = (message: FromWorker, then = () => {}) => {
    if (process.connected) process.send?.(message, () => then())
    else then()
  }
  const turn = createTurn((octavo) => say({ octavo }), waitSeconds)
  process.on('message', (message: unknown) => {
    if (!isToWorker(message)) return
    if (message.octavo === 'turn') turn.grant()
    else end()
  })
  // Else it would exit at once, whatever it was working on.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  process.once('disconnect', () => {
    turn.release()
    end()
  })
  const { place, siblings, first } = assignment()
  return {
    turn,
    siblings: openSiblings(siblings, place),
    first,
    serves: (address) => say({ octavo: 'serves', address }),
    fails: (words) => say({ octavo: 'fails', words }, () => process.exit(1)),
  }
}

function assignment(): Assignment {
  const given: Assignment = JSON.parse(process.env[ASSIGNMENT] ?? '')
  return given
}
