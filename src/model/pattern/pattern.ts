/**
 * The `regex` of a schema, run without backtracking: RE2 takes time proportional to the length of the text, where
 * JavaScript needs 26 seconds for `^(a+)+$` and 30 characters. RE2 has no lookaround and no backreferences; the few
 * harmless patterns with them are run by JavaScript on short text.
 */
import { createRequire } from 'node:module'
import { messageOf } from '../../errors.ts'
import { isBounded } from './is-bounded.ts'
import { leadingLookaheads } from './lookaheads.ts'
import { toRe2 } from './to-re2.ts'

/** At this length the largest pattern that RE2 accepts takes about 0.2 s. */
const MAX_LENGTH = 100_000
/** Bounded backtracking still takes time proportional to the square of the length. */
const MAX_BACKTRACKING_LENGTH = 1_000

type Test = (text: string) => boolean
type Compiled =
  | { readonly ok: true; readonly test: Test; readonly maxLength: number }
  | { readonly ok: false }

export class Pattern {
  readonly source: string
  #compiled: Compiled | null = null

  constructor(source: string) {
    this.source = source
  }

  /** Why the pattern cannot be used; null when it can. */
  problem(): string | null {
    try {
      new RegExp(this.source)
    } catch (error) {
      return `is not a regular expression: ${messageOf(error)}`
    }
    return this.#compile().ok
      ? null
      : 'cannot be matched in bounded time: write it without lookbehind and backreferences, and use lookahead only right after ^'
  }

  /** The maximum length of text that is tested. */
  get maxLength(): number {
    const compiled = this.#compile()
    return compiled.ok ? compiled.maxLength : 0
  }

  test(text: string): boolean {
    const compiled = this.#compile()
    return compiled.ok && text.length <= compiled.maxLength && compiled.test(text)
  }

  toJSON(): string {
    return this.source
  }

  #compile(): Compiled {
    this.#compiled ??= compile(this.source)
    return this.#compiled
  }
}

function compile(source: string): Compiled {
  const linear = compileLookaheads(source) ?? compileRe2(source)
  if (linear) return { ok: true, test: linear, maxLength: MAX_LENGTH }
  if (!isBounded(source)) return { ok: false }
  const regExp = new RegExp(source)
  return { ok: true, test: (text) => regExp.test(text), maxLength: MAX_BACKTRACKING_LENGTH }
}

/** `^(?=A)(?!B)C` matches where `^A` and `^C` match and `^B` does not. */
function compileLookaheads(source: string): Test | null {
  const split = leadingLookaheads(source)
  if (!split) return null
  const rest = compileRe2(`^${split.rest}`)
  const lookaheads = split.lookaheads.map(({ content, isNegative }) => ({
    test: compileRe2(`^(?:${content})`),
    isNegative,
  }))
  if (!rest || lookaheads.some(({ test }) => test === null)) return null
  return (text) => lookaheads.every(({ test, isNegative }) => test?.(text) !== isNegative) && rest(text)
}

function compileRe2(source: string): Test | null {
  const translated = toRe2(source)
  if (translated === null) return null
  try {
    const pattern = loadRe2().RE2JS.compile(translated)
    return (text) => pattern.test(text)
  } catch {
    // Repetitions beyond 1,000 and rare syntax of JavaScript.
    return null
  }
}

let re2: typeof import('re2js') | null = null

/** Loaded when the first schema with a `regex` is read. */
function loadRe2(): typeof import('re2js') {
  re2 ??= createRequire(import.meta.url)('re2js')
  if (!re2) throw new Error('re2js did not load')
  return re2
}
