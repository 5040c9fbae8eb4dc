/** Which entries of a form are open. Entries that are not have no fields in the page. */
import type { FormPath } from './path.ts'

export interface OpenRows {
  isOpen(path: FormPath): boolean
  toggle(path: FormPath): void
  open(path: FormPath): void
  /** Opens every entry that a path is in. */
  openAround(path: FormPath): void
  subscribe(listener: () => void): () => void
}

export function createOpenRows(): OpenRows {
  const open = new Set<FormPath>()
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  return {
    isOpen: (path) => open.has(path),
    toggle(path) {
      if (!open.delete(path)) open.add(path)
      notify()
    },
    open(path) {
      open.add(path)
      notify()
    },
    openAround(path) {
      const segments = path.split('/')
      for (let length = 2; length < segments.length; length += 2)
        open.add(segments.slice(0, length).join('/'))
      notify()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
