/** What a body or a project's own code brings in, whatever it is for: looked through before anything is made of it. */
import { errors } from '../errors.ts'

/** Nobody nests content deeper; the bound keeps the stack safe wherever input is walked, and ends what is circular. */
const DEEPEST = 100

/**
 * Refuses what no engine can keep or no code should meet: prototype keys, broken text, bottomless nesting. `what` begins
 * the sentence that says so.
 */
export const checkInput = (root: unknown, what: string): void => walk(root, what, checkText)

/** Leaves broken text to those who read it as the values of attributes: they refuse it in their turn, and say where it is. */
export const checkStructure = (root: unknown, what: string): void => walk(root, what, () => {})

function walk(root: unknown, what: string, checkText: (text: string) => void): void {
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }]
  for (let item = pending.pop(); item; item = pending.pop()) {
    const { value, depth } = item
    if (typeof value === 'string') checkText(value)
    if (typeof value !== 'object' || value === null) continue
    if (depth > DEEPEST) throw errors.invalid(`${what} is nested deeper than ${DEEPEST} levels`)
    for (const [key, child] of Object.entries(value)) {
      if (key === '__proto__' || (key === 'constructor' && isPrototypeHolder(child))) {
        throw errors.syntax(`${what} holds the forbidden key ${key}`)
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
