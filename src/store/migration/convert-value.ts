/**
 * Values of an attribute whose type has changed: what a stored value becomes under the new type, and whether it could
 * be turned back. Pure; rules such as lengths and bounds do not matter here, only whether the value has the form.
 */
import type { ScalarAttribute, ScalarTypeName } from '../../model/model.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'

export type Conversion =
  /** `lossless` when the previous value could be made from the new one again. */
  { readonly ok: true; readonly value: Stored; readonly lossless: boolean } | { readonly ok: false }

const FREE_TEXT: ReadonlySet<ScalarTypeName> = new Set(['string', 'text', 'richtext', 'email', 'uid'])
const TEXT: ReadonlySet<ScalarTypeName> = new Set([
  ...FREE_TEXT,
  ...(['enumeration', 'date', 'time', 'datetime', 'timestamp'] as const),
])

const TWINS: readonly (readonly [ScalarTypeName, ScalarTypeName])[] = [
  ['datetime', 'timestamp'],
  ['timestamp', 'datetime'],
  ['float', 'decimal'],
  ['decimal', 'float'],
  ['integer', 'biginteger'],
  ['blocks', 'json'],
]

/** Whether every value is stored alike under both types, so that nothing has to be converted. */
export const hasSameStorage = (from: ScalarTypeName, to: ScalarTypeName): boolean =>
  from === to ||
  (TEXT.has(from) && FREE_TEXT.has(to)) ||
  TWINS.some(([one, other]) => one === from && other === to)

/** What a stored value becomes. Passwords are hashes: they become nothing, and nothing becomes one. */
export function convertValue(stored: Stored, from: ScalarAttribute, to: ScalarAttribute): Conversion {
  if (hasSameStorage(from.type, to.type)) return { ok: true, value: stored, lossless: true }
  const value = convertOnce(stored, from, to)
  if (value === null) return { ok: false }
  return { ok: true, value, lossless: sameValue(convertOnce(value, to, from), stored) }
}

const sameValue = (one: Stored | null, other: Stored) => one !== null && String(one) === String(other)

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

/** The served value as somebody would send it to the new type. */
function inputFor(to: ScalarTypeName, from: ScalarTypeName, served: unknown): unknown {
  if (to === 'json') return served
  if (to === 'blocks') return typeof served === 'string' ? paragraphsOf(served) : served
  if (TEXT.has(to)) {
    if (from === 'blocks') return textOf(served)
    return typeof served === 'string' ? served : JSON.stringify(served)
  }
  return typeof served === 'boolean' && to !== 'boolean' ? Number(served) : served
}

/** A paragraph for each line. */
const paragraphsOf = (text: string) =>
  text.split('\n').map((line) => ({ type: 'paragraph', children: [{ type: 'text', text: line }] }))

/** The text of rich text, a line for each block. */
function textOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(textOf).join('\n')
  if (typeof node !== 'object' || node === null) return ''
  if ('text' in node && typeof node.text === 'string') return node.text
  const children: unknown = 'children' in node ? node.children : null
  if (!Array.isArray(children)) return ''
  return children.map(textOf).join('type' in node && node.type === 'list' ? '\n' : '')
}
