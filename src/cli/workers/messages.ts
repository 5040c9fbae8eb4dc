/** What the leading process and its workers say to each other. */

/** What a worker is told when it is started, in an environment variable. */
export interface Assignment {
  /** Its place among the workers, and the file in which each has one. */
  readonly place: number
  readonly siblings: string
  /** Whether it does what is done once for all of them. */
  readonly first: boolean
}

export const ASSIGNMENT = 'OCTAVO_WORKER'

/** From a worker: it serves, it cannot serve, it asks for the turn to write, it gives the turn back. */
export type FromWorker =
  | { readonly octavo: 'serves'; readonly address: string }
  | { readonly octavo: 'fails'; readonly words: string }
  | { readonly octavo: 'ask' }
  | { readonly octavo: 'give' }

/** To a worker: the turn is its own, or it shall come to its end. */
export type ToWorker = { readonly octavo: 'turn' } | { readonly octavo: 'end' }

const isOurs = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'octavo' in message

/** Whether a message is one of a worker of ours; code of the project may send others. */
export const isFromWorker = (message: unknown): message is FromWorker => isOurs(message)
export const isToWorker = (message: unknown): message is ToWorker => isOurs(message)
