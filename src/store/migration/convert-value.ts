/**
 * Converts a stored value to another scalar type and says whether that loses anything. Pure. Only the type matters;
 * validation rules such as lengths and bounds are not checked.
 */
import type { ScalarAttribute, ScalarTypeName } from '../../model/model.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'

export type Conversion =
  /** `lossless` if converting back gives the original value. */
  { readonly ok: true; readonly value: Stored; readonly lossless: boolean } | { readonly ok: false }

const FREE_TEXT: ReadonlySet<ScalarTypeName> = new Set(['string', 'text', 'richtext', 'email', 'uid'])
const TEXT: ReadonlySet<ScalarTypeName> = new Set([
  ...FREE_TEXT,
  ...(['enumeration', 'date', 'time', 'datetime', 'timestamp'] as const),
])

const SAME_STORAGE: readonly (readonly [ScalarTypeName, ScalarTypeName])[] = [
  ['datetime', 'timestamp'],
  ['timestamp', 'datetime'],
  ['float', 'decimal'],
  ['decimal', 'float'],
  ['integer', 'biginteger'],
  ['blocks', 'json'],
]

/** Whether every value of `from` is stored identically as `to`, so that nothing has to be converted. */
export const hasSameStorage = (from: ScalarTypeName, to: ScalarTypeName): boolean =>
  from === to ||
  (TEXT.has(from) && FREE_TEXT.has(to)) ||
  SAME_STORAGE.some(([one, other]) => one === from && other === to)

/** Converts a stored value. Passwords are hashes and cannot be converted, in either direction. */
export function convertValue(stored: Stored, from: ScalarAttribute, to: ScalarAttribute): Conversion {
  if (hasSameStorage(from.type, to.type)) return { ok: true, value: stored, lossless: true }
  const value = convertOnce(stored, from, to)
  if (value === null) return { ok: false }
  return { ok: true, value, lossless: isSameValue(convertOnce(value, to, from), stored) }
}

const isSameValue = (one: Stored | null, other: Stored) => one !== null && String(one) === String(other)

function convertOnce(stored: Stored, from: ScalarAttribute, to: ScalarAttribute): Stored | null {
  if (from.type === 'password' || to.type === 'password') return null
  const served: unknown = JSON.parse(scalarTypes[from.type].json(stored))
  const parsed = scalarTypes[to.type].parse(inputFor(to.type, from.type, served), withoutRules(to), 'draft')
  return parsed.ok ? parsed.value : null
}

const withoutRules = (attribute: ScalarAttribute): ScalarAttribute => ({
  ...attribute,
  min: null,
  max: null,
  minLength: null,
  maxLength: Number.MAX_SAFE_INTEGER,
  regex: null,
})

/** The served value in the form in which a client would send it to the new type. */
function inputFor(to: ScalarTypeName, from: ScalarTypeName, served: unknown): unknown {
  if (to === 'json') return served
  if (to === 'blocks') return typeof served === 'string' ? paragraphsOf(served) : served
  if (TEXT.has(to)) {
    if (from === 'blocks') return textOf(served)
    return typeof served === 'string' ? served : JSON.stringify(served)
  }
  return typeof served === 'boolean' && to !== 'boolean' ? Number(served) : served
}

/** One paragraph per line. */
const paragraphsOf = (text: string) =>
  text.split('\n').map((line) => ({ type: 'paragraph', children: [{ type: 'text', text: line }] }))

/** The text of rich text blocks, one line per block. */
function textOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(textOf).join('\n')
  if (typeof node !== 'object' || node === null) return ''
  if ('text' in node && typeof node.text === 'string') return node.text
  const children: unknown = 'children' in node ? node.children : null
  if (!Array.isArray(children)) return ''
  return children.map(textOf).join('type' in node && node.type === 'list' ? '\n' : '')
}
