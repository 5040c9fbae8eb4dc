/** Checks the values of a request body or of a project's own code before anything else reads them. */
import { errors } from '../errors.ts'

/** Keeps recursion over input safe, and stops at circular references. */
const MAX_DEPTH = 100

/** Refuses prototype keys, text that no engine can store, and deep nesting. `what` is the subject of the error message. */
export const checkInput = (root: unknown, what: string): void => walk(root, what, checkText)

/** Like `checkInput`, but leaves text to the attribute types, whose errors include the path. */
export const checkStructure = (root: unknown, what: string): void => walk(root, what, () => {})

function walk(root: unknown, what: string, checkText: (text: string) => void): void {
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }]
  for (let item = pending.pop(); item; item = pending.pop()) {
    const { value, depth } = item
    if (typeof value === 'string') checkText(value)
    if (typeof value !== 'object' || value === null) continue
    if (depth > MAX_DEPTH) throw errors.invalid(`${what} is nested deeper than ${MAX_DEPTH} levels`)
    for (const [key, child] of Object.entries(value)) {
      if (key === '__proto__' || (key === 'constructor' && isPrototypeHolder(child))) {
        throw errors.syntax(`${what} contains the forbidden key ${key}`)
      }
      checkText(key)
      pending.push({ value: child, depth: depth + 1 })
    }
  }
}

const isPrototypeHolder = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')

function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw errors.invalid('Text must be well-formed Unicode without NUL characters')
  }
}
