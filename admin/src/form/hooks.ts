/** Connects components to the form they are in. */
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'
import type { OpenRows } from './open-rows.ts'
import type { FormPath } from './path.ts'
import type { PendingWork } from './pending-work.ts'
import type { Schema } from './schema.ts'
import type { FormStatus, FormStore } from './store.ts'

export interface Form {
  readonly store: FormStore
  readonly openRows: OpenRows
  readonly pending: PendingWork
  readonly schema: Schema
  /** The locale of the document; undefined when its type has none. */
  readonly locale: string | undefined
  readonly isNew: boolean
}

const FormContext = createContext<Form | null>(null)
export const FormProvider = FormContext.Provider

export function useForm(): Form {
  const form = useContext(FormContext)
  if (!form) throw new Error('The component is not inside a form')
  return form
}

/** The value at a path, and a function that changes it. The component renders again only when it changes. */
export function useValue(path: FormPath): [value: unknown, setValue: (value: unknown) => void] {
  const { store } = useForm()
  const subscribe = useCallback((listener: () => void) => store.subscribe(path, listener), [store, path])
  const value = useSyncExternalStore(subscribe, () => store.get(path))
  const setValue = useCallback((next: unknown) => store.set(path, next), [store, path])
  return [value, setValue]
}

export function useFieldError(path: FormPath): string | undefined {
  const { store } = useForm()
  const subscribe = useCallback((listener: () => void) => store.subscribe(path, listener), [store, path])
  return useSyncExternalStore(subscribe, () => store.error(path))
}

/** Whether a value below a path has an error. Changes with the number of errors, not with every value. */
export function useHasErrorBelow(path: FormPath): boolean {
  const { store } = useForm()
  return useSyncExternalStore(store.subscribeToStatus, () => store.hasErrorBelow(path))
}

export function useFormStatus(): FormStatus {
  const { store } = useForm()
  return useSyncExternalStore(store.subscribeToStatus, store.status)
}

export function useIsRowOpen(path: FormPath): boolean {
  const { openRows } = useForm()
  return useSyncExternalStore(openRows.subscribe, () => openRows.isOpen(path))
}
