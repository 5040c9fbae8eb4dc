/**
 * Case folding for the operators that ignore case: the same for JavaScript, SQLite and PostgreSQL. Each code point is
 * folded by itself (simple upper case, then simple lower case), so the length in code points never changes.
 */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { EngineName } from './store.ts'

/** The name of the folding function inside both engines. */
export const FOLD = 'octavo_fold'

/** Folds the case of a text, for every script of Unicode. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  let folded = ''
  for (const character of text) folded += foldCharacter(character)
  return folded
}

/** The SQL that folds an expression. Both engines know the function: SQLite by connection, PostgreSQL by migration. */
export const foldExpression = (_engine: EngineName, expression: Expression<unknown>): RawBuilder<string> =>
  sql<string>`octavo_fold(${expression})`

/** Makes the function exist in PostgreSQL; it is inlined into the statements that use it. */
export const FOLD_FUNCTION = `CREATE OR REPLACE FUNCTION octavo_fold(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT lower(upper($1 COLLATE "pg_c_utf8") COLLATE "pg_c_utf8") $$`

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false
  return true
}

function foldCharacter(character: string): string {
  // Its lower case is two code points in JavaScript and one in the simple mapping.
  if (character === '\u0130') return 'i'
  const upper = character.toUpperCase()
  const base = isOneCodePoint(upper) ? upper : character
  const lower = base.toLowerCase()
  return isOneCodePoint(lower) ? lower : base
}

const isOneCodePoint = (text: string) =>
  text.length === 1 || (text.length === 2 && text.charCodeAt(0) >= 0xd800 && text.charCodeAt(0) < 0xdc00)
