/** The steps of a form that can be undone. Typing in one field within a second is one step. */
import type { FormPath } from './path.ts'

const TYPING_MS = 1_000
const MAX_STEPS = 200

/** One value that changes; `undefined` when there is none. */
export interface Change {
  readonly path: FormPath
  readonly before: unknown
  readonly after: unknown
}

export interface History {
  add(changes: readonly Change[]): void
  /** The changes to reverse; empty when there are none. */
  undo(): readonly Change[]
  /** The changes to apply again; empty when there are none. */
  redo(): readonly Change[]
  canUndo(): boolean
  canRedo(): boolean
  clear(): void
}

export function createHistory(now: () => number = Date.now): History {
  let done: (readonly Change[])[] = []
  let undone: (readonly Change[])[] = []
  let lastAt = Number.NEGATIVE_INFINITY

  return {
    add(changes) {
      const at = now()
      const merged = at - lastAt < TYPING_MS ? mergeTyping(done.at(-1), changes) : null
      done = merged ? [...done.slice(0, -1), merged] : [...done, changes].slice(-MAX_STEPS)
      undone = []
      lastAt = at
    },
    undo() {
      const step = done.at(-1) ?? []
      if (step.length > 0) undone = [...undone, step]
      done = done.slice(0, -1)
      lastAt = Number.NEGATIVE_INFINITY
      return step
    },
    redo() {
      const step = undone.at(-1) ?? []
      if (step.length > 0) done = [...done, step]
      undone = undone.slice(0, -1)
      return step
    },
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    clear() {
      done = []
      undone = []
      lastAt = Number.NEGATIVE_INFINITY
    },
  }
}

/** One change that replaces two changes of the same text; null when they are separate steps. */
function mergeTyping(
  last: readonly Change[] | undefined,
  changes: readonly Change[],
): readonly Change[] | null {
  const [one, other] = [last?.[0], changes[0]]
  if (!one || !other || last?.length !== 1 || changes.length !== 1 || one.path !== other.path) return null
  const isText = typeof one.after === 'string' && typeof other.after === 'string'
  return isText ? [{ path: one.path, before: one.before, after: other.after }] : null
}
