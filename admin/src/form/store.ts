/**
 * The values of a form, by path. Every field subscribes to its own path, so that a change costs the same however large the
 * document is: one entry of a map, one comparison with the saved value, and the listeners of one path.
 */
import { isEqual } from './equal.ts'
import { type Change, createHistory } from './history.ts'
import { type FormPath, isBelow } from './path.ts'

/** An entry of a component or dynamic zone. Its values are at the paths below its key. */
export interface Row {
  readonly key: string
  readonly component: string
  /** The `id` on the server; absent for a new entry. */
  readonly id?: number
}

/** A path that is absent has no value. */
export type Values = ReadonlyMap<FormPath, unknown>

/** What the form as a whole reports. A new object whenever one of the members changes. */
export interface FormStatus {
  readonly isDirty: boolean
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly problemCount: number
}

type Listener = () => void

export interface FormStore {
  get(path: FormPath): unknown
  set(path: FormPath, value: unknown): void
  /** Changes several values as one step of undo. */
  setAll(changes: ReadonlyMap<FormPath, unknown>): void
  /** All values at and below a path. */
  below(path: FormPath): Values
  error(path: FormPath): string | undefined
  hasErrorBelow(path: FormPath): boolean
  /** Replaces all errors; each disappears when its value is changed. */
  setErrors(errors: ReadonlyMap<FormPath, string>): void
  /** An error in what was typed, which cannot be sent as a value: nothing is saved until it is corrected. */
  setInputError(path: FormPath, message: string | null): void
  /** The first error in what was typed. */
  inputError(): string | undefined
  errors(): ReadonlyMap<FormPath, string>
  subscribe(path: FormPath, listener: Listener): () => void
  subscribeToStatus(listener: Listener): () => void
  /** Calls the listener after every change of a value. */
  subscribeToChanges(listener: Listener): () => void
  status(): FormStatus
  undo(): void
  redo(): void
  /** The values that differ from the saved ones; `undefined` where the value was removed. */
  unsaved(): Values
  saved(path: FormPath): unknown
  allSaved(): Values
  /** Takes over the saved values of the server, and keeps `unsaved` on top of them. Undo starts anew. */
  rebase(saved: Values, unsaved?: Values): void
}

export function createFormStore(initial: Values): FormStore {
  let saved = initial
  let values = new Map(initial)
  let errors: ReadonlyMap<FormPath, string> = new Map()
  const inputErrors = new Set<FormPath>()
  const dirty = new Set<FormPath>()
  const history = createHistory()
  const listeners = new Map<FormPath, Set<Listener>>()
  const statusListeners = new Set<Listener>()
  const changeListeners = new Set<Listener>()
  let status: FormStatus = { isDirty: false, canUndo: false, canRedo: false, problemCount: 0 }

  const notify = (path: FormPath) => {
    for (const listener of listeners.get(path) ?? []) listener()
  }
  const notifyAll = () => {
    for (const path of listeners.keys()) notify(path)
  }
  const updateStatus = () => {
    const next = {
      isDirty: dirty.size > 0,
      canUndo: history.canUndo(),
      canRedo: history.canRedo(),
      problemCount: errors.size,
    }
    if (isEqual(next, status)) return
    status = next
    for (const listener of statusListeners) listener()
  }
  const clearError = (path: FormPath) => {
    if (!errors.has(path)) return
    errors = new Map([...errors].filter(([each]) => each !== path))
    inputErrors.delete(path)
  }
  const assign = (path: FormPath, value: unknown) => {
    if (value === undefined) values.delete(path)
    else values.set(path, value)
    if (isEqual(value, saved.get(path))) dirty.delete(path)
    else dirty.add(path)
    clearError(path)
  }
  const apply = (changes: readonly Change[], side: 'before' | 'after') => {
    for (const change of changes) assign(change.path, change[side])
    for (const { path } of changes) notify(path)
    updateStatus()
    for (const listener of changeListeners) listener()
  }
  const record = (changes: readonly Change[]) => {
    const effective = changes.filter(({ before, after }) => !isEqual(before, after))
    if (effective.length === 0) return
    history.add(effective)
    apply(effective, 'after')
  }
  const changeTo = (path: FormPath, after: unknown): Change => ({ path, before: values.get(path), after })

  return {
    get: (path) => values.get(path),
    set: (path, value) => record([changeTo(path, value)]),
    setAll: (changes) => record([...changes].map(([path, value]) => changeTo(path, value))),
    below: (path) => new Map([...values].filter(([each]) => each === path || isBelow(each, path))),
    error: (path) => errors.get(path),
    hasErrorBelow: (path) => [...errors.keys()].some((each) => isBelow(each, path)),
    setErrors(next) {
      errors = next
      inputErrors.clear()
      notifyAll()
      updateStatus()
    },
    setInputError(path, message) {
      if ((errors.get(path) ?? null) === message) return
      clearError(path)
      if (message !== null) {
        errors = new Map([...errors, [path, message]])
        inputErrors.add(path)
      }
      notify(path)
      updateStatus()
    },
    inputError: () => [...inputErrors].map((path) => errors.get(path))[0],
    errors: () => errors,
    subscribe(path, listener) {
      const known = listeners.get(path) ?? new Set()
      listeners.set(path, known.add(listener))
      return () => {
        known.delete(listener)
        if (known.size === 0 && listeners.get(path) === known) listeners.delete(path)
      }
    },
    subscribeToStatus(listener) {
      statusListeners.add(listener)
      return () => statusListeners.delete(listener)
    },
    subscribeToChanges(listener) {
      changeListeners.add(listener)
      return () => changeListeners.delete(listener)
    },
    status: () => status,
    undo: () => apply(history.undo().toReversed(), 'before'),
    redo: () => apply(history.redo(), 'after'),
    unsaved: () => new Map([...dirty].map((path) => [path, values.get(path)])),
    saved: (path) => saved.get(path),
    allSaved: () => saved,
    rebase(next, unsaved = new Map()) {
      saved = next
      values = new Map(next)
      errors = new Map()
      inputErrors.clear()
      dirty.clear()
      history.clear()
      for (const [path, value] of unsaved) assign(path, value)
      notifyAll()
      updateStatus()
      for (const listener of changeListeners) listener()
    },
  }
}
