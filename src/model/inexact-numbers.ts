/**
 * Numbers of a JSON text that lost digits when they were parsed. The object or list that contains such a number carries the
 * text of the number, under a symbol: spreading the object copies it, and nothing else sees it.
 */
import { isExactDouble } from './scalars/shared/exact-decimal.ts'

const SOURCES = Symbol('the texts of inexact numbers')

/** Only a text with a long or very small number can contain one that loses digits. */
const MAY_LOSE_DIGITS = /[\d.]{16}|[eE][+-]?\d{3}/

/** Like `JSON.parse`, and remembers the text of each number that lost digits. */
export function parseJsonExactly(text: string): unknown {
  return MAY_LOSE_DIGITS.test(text) ? JSON.parse(text, rememberSource) : JSON.parse(text)
}

function rememberSource(this: object, key: string, value: unknown, context?: { readonly source?: string }) {
  const source = context?.source
  if (typeof value === 'number' && source !== undefined && !isExactDouble(source))
    setSource(this, key, source)
  return value
}

function setSource(holder: object, key: string, source: string) {
  Reflect.set(holder, SOURCES, { ...sourcesOf(holder), [key]: source })
}

const sourcesOf = (holder: object): Readonly<Record<string, string>> | undefined =>
  Reflect.get(holder, SOURCES)

/** The text of a number that lost digits; undefined for any other member. */
export const inexactSource = (holder: object, key: string): string | undefined => sourcesOf(holder)?.[key]

/** A copy whose members are the same, with what is remembered about them. */
export function withSourcesOf<Copy extends object>(holder: object, copy: Copy): Copy {
  for (const [key, source] of Object.entries(sourcesOf(holder) ?? {})) setSource(copy, key, source)
  return copy
}
