/** Creates `octavo_fold` in PostgreSQL so that it agrees with `fold`, whatever Unicode version the server has. */
import { fold } from '../fold/fold.ts'
import type { Row, Statement } from '../statement.ts'

/** Since PostgreSQL 17: Unicode's simple case mappings, without a locale. */
const FIRST_WITH_UNICODE = 170_000
const UNICODE = 'lower(upper($1 COLLATE "pg_c_utf8") COLLATE "pg_c_utf8")'
/** Folds ASCII letters alone. */
const ASCII = 'lower($1 COLLATE "C")'
const IS_ASCII = 'octet_length($1) = length($1)'

type All = (statement: Statement) => Promise<readonly Row[]>

const plain = (sql: string): Statement => ({ sql, parameters: [] })

/** Creates the function. Its expression is parsed here, so that it does not depend on the search path, and inlined. */
export async function createFold(all: All) {
  const [row] = await all(plain(`SELECT current_setting('server_version_num')::int AS version`))
  const body = Number(row?.version) >= FIRST_WITH_UNICODE ? await correctedUnicode(all) : await byLetters(all)
  await all(plain(functionNamed('octavo_fold', `RETURN ${body}`)))
}

const functionNamed = (name: string, body: string) =>
  `CREATE OR REPLACE FUNCTION ${name}(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE ${body}`

/** The server's own folding, with corrections for the few letters that it folds differently. */
async function correctedUnicode(all: All): Promise<string> {
  const letters = casedLetters()
  const wrong = await all({
    sql: `SELECT folded, expected FROM (
      SELECT ${UNICODE.replaceAll('$1', 'letter')} AS folded, expected
      FROM unnest(string_to_array($1, NULL), string_to_array($2, NULL)) AS letters (letter, expected)) AS compared
      WHERE folded <> expected`,
    parameters: [letters.join(''), letters.map(fold).join('')],
  })
  if (wrong.length === 0) return UNICODE
  // Corrections are applied to the server's result.
  const from = wrong.map(({ folded }) => folded).join('')
  const to = wrong.map(({ expected }) => expected).join('')
  // Both results need the same collation.
  return `CASE WHEN ${IS_ASCII} THEN ${ASCII} COLLATE "pg_c_utf8" ELSE translate(${UNICODE}, '${from}', '${to}') END`
}

/**
 * The folding of a server without case tables that are independent of its locale: ASCII letters are folded by it, and the
 * others one by one. `translate` compares every character with the whole list, so it gets only the letters of the text.
 */
async function byLetters(all: All): Promise<string> {
  const letters = casedLetters().filter((letter) => fold(letter) !== letter)
  const pattern = `'[${rangesOf(letters)}]' COLLATE "C"`
  const foldLetter = `translate(letter, '${letters.join('')}', '${letters.map(fold).join('')}')`
  await all(
    plain(
      functionNamed(
        'octavo_fold_letters',
        `AS $fold$ SELECT translate(${ASCII}, string_agg(letter, ''), string_agg(${foldLetter}, ''))
          FROM (SELECT DISTINCT found[1] COLLATE "C" AS letter
            FROM regexp_matches($1, ${pattern}, 'g') AS found) AS letters $fold$`,
      ),
    ),
  )
  return `CASE WHEN ${IS_ASCII} OR $1 !~ (${pattern}) THEN ${ASCII} ELSE octavo_fold_letters($1) END`
}

/** The characters of a list in ascending order, as the ranges of a regular expression. */
function rangesOf(characters: readonly string[]): string {
  const ranges: { first: number; last: number }[] = []
  for (const character of characters) {
    const code = character.codePointAt(0) ?? 0
    const current = ranges.at(-1)
    if (current?.last === code - 1) current.last = code
    else ranges.push({ first: code, last: code })
  }
  const escaped = (code: number) => `\\U${code.toString(16).padStart(8, '0')}`
  return ranges.map(({ first, last }) => `${escaped(first)}-${escaped(last)}`).join('')
}

/** All scripts with case are in the first two planes. */
const LAST_CASED = 0x1ffff
/** Tested first, because it is faster than a conversion. */
const HAS_CASE = /\p{Changes_When_Casemapped}/u

let cased: readonly string[] | null = null

/** Every character that has another case in JavaScript. Found once: every change of the model creates the function again. */
function casedLetters(): readonly string[] {
  cased ??= findCasedLetters()
  return cased
}

function findCasedLetters(): string[] {
  const letters: string[] = []
  for (let code = 0x80; code <= LAST_CASED; code++) {
    if (code === 0xd800) code = 0xe000
    const letter = String.fromCodePoint(code)
    if (!HAS_CASE.test(letter)) continue
    if (letter.toLowerCase() !== letter || letter.toUpperCase() !== letter) letters.push(letter)
  }
  return letters
}
