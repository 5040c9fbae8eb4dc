/** Creates `octavo_fold` in PostgreSQL so that it agrees with `fold`, whatever Unicode version the server has. */
import { fold } from '../fold/fold.ts'
import type { Row, Statement } from '../statement.ts'

/** Since PostgreSQL 17: Unicode's simple case mappings, without a locale. */
const FIRST_WITH_UNICODE = 170_000
const UNICODE = 'lower(upper($1 COLLATE "pg_c_utf8") COLLATE "pg_c_utf8")'
/** For older servers: folds ASCII letters alone, so every other letter with case is a correction. */
export const ASCII = 'lower($1 COLLATE "C")'

type All = (statement: Statement) => Promise<readonly Row[]>

const plain = (sql: string): Statement => ({ sql, parameters: [] })

/** Creates the function, with corrections for the few letters that the server folds differently. */
export async function createFold(all: All) {
  const [row] = await all(plain(`SELECT current_setting('server_version_num')::int AS version`))
  const hasUnicode = Number(row?.version) >= FIRST_WITH_UNICODE
  const base = hasUnicode ? UNICODE : ASCII
  await all(plain(foldFunction(base, await differences(all, base))))
}

/** The statement that creates the function: a single expression, so that the planner inlines it. */
export function foldFunction(base: string, [from, to]: readonly [from: string, to: string]): string {
  const body =
    from === ''
      ? base
      : `CASE WHEN octet_length($1) = length($1) THEN ${ASCII}
          ELSE translate(${base}, '${from}', '${to}') END`
  return `CREATE OR REPLACE FUNCTION octavo_fold(text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $fold$ SELECT ${body} $fold$`
}

/** The characters that an expression folds differently, and what they should become. */
export async function differences(all: All, base: string): Promise<readonly [from: string, to: string]> {
  const letters = casedLetters()
  const wrong = await all({
    sql: `SELECT folded, expected FROM (
      SELECT ${base.replaceAll('$1', 'letter')} AS folded, expected
      FROM unnest(string_to_array($1, NULL), string_to_array($2, NULL)) AS letters (letter, expected)) AS compared
      WHERE folded <> expected`,
    parameters: [letters.join(''), letters.map(fold).join('')],
  })
  // Corrections are applied to the server's result.
  return [wrong.map(({ folded }) => folded).join(''), wrong.map(({ expected }) => expected).join('')]
}

/** All scripts with case are in the first two planes. */
const LAST_CASED = 0x1ffff
/** Tested first, because it is faster than a conversion. */
const HAS_CASE = /\p{Changes_When_Casemapped}/u

/** Every character that has another case in JavaScript. */
function casedLetters(): string[] {
  const letters: string[] = []
  for (let code = 0x80; code <= LAST_CASED; code++) {
    if (code === 0xd800) code = 0xe000
    const letter = String.fromCodePoint(code)
    if (!HAS_CASE.test(letter)) continue
    if (letter.toLowerCase() !== letter || letter.toUpperCase() !== letter) letters.push(letter)
  }
  return letters
}
