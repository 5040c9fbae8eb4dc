import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { onEachEngineVersion } from '../../../test/support/engines.ts'
import { modelOfTypes } from '../../../test/support/models.ts'
import { type OwnPostgres, startOwnPostgres } from '../../../test/support/postgres.ts'
import { compile } from '../compile.ts'
import type { EngineName } from '../dialect.ts'
import { migrate } from '../migration/migrate.ts'
import { openStore } from '../open.ts'
import { sql } from '../sql.ts'
import type { Store } from '../store.ts'
import { fold } from './fold.ts'
import { foldExpression } from './fold-expression.ts'

/** Every character that text can contain: all code points except U+0000 and surrogates. */
const EVERY_CHARACTER = `
  WITH RECURSIVE codes (code) AS (SELECT 1 UNION ALL SELECT code + 1 FROM codes WHERE code < LAST)
  SELECT code, octavo_fold(CHARACTER(code)) AS folded FROM codes
  WHERE code NOT BETWEEN 55296 AND 57343 AND octavo_fold(CHARACTER(code)) <> CHARACTER(code) ORDER BY code`

const LAST = 0x10ffff

const expected = () => {
  const changed: { code: number; folded: string }[] = []
  for (let code = 1; code <= LAST; code++) {
    if (code === 0xd800) code = 0xe000
    const character = String.fromCodePoint(code)
    if (fold(character) !== character) changed.push({ code, folded: fold(character) })
  }
  return changed
}

/** ASCII letters beside letters of other scripts, with and without case. */
const mixedText = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...'aZ ÉéßẞΣςİıЖжǅ日😀𐐀'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  })
  .map((text) => text.replaceAll('\0', ''))

describe('folding in JavaScript', () => {
  test('ignores the case of every script, letter by letter', () => {
    assert.equal(fold('ÀÉÎ Straße ΣΊΣΥΦΟΣ Ἀθήνα ЖЁЛТЫЙ İSTANBUL'), 'àéî straße σίσυφοσ ἀθήνα жёлтый istanbul')
    assert.equal(fold('𐐀𐐁 Ǆ ǅ ǆ ẞ K Å'), '𐐨𐐩 ǆ ǆ ǆ ß k å')
    assert.equal(fold('σίσυφος'), fold('ΣΊΣΥΦΟΣ'))
  })

  test('keeps the number of code points, and text without case', () => {
    assert.equal(fold('日本語 😀 — ﬃ ŉ'), '日本語 😀 — ﬃ ŉ')
  })
})

function testFolding(name: EngineName, freshUrl: () => Promise<string>) {
  let store: Store
  before(async () => {
    store = await openStore(await freshUrl())
    await migrate(store, modelOfTypes({}))
  })
  after(() => store.close())

  const character = name === 'sqlite' ? 'char' : 'chr'
  const foldedByEngine = async () => {
    const text = EVERY_CHARACTER.replaceAll('CHARACTER', character).replace('LAST', String(LAST))
    return (await store.read({ sql: text, parameters: [] })).map(({ code, folded }) => ({ code, folded }))
  }

  test('the engine folds every character of Unicode as JavaScript does', async () => {
    assert.deepEqual(await foldedByEngine(), expected())
  })

  test('the engine folds text of mixed scripts as JavaScript does', () =>
    fc.assert(
      fc.asyncProperty(fc.array(mixedText, { minLength: 1, maxLength: 50 }), async (texts) => {
        const columns = texts.map(
          (text, index) => sql`${foldExpression(sql`${text}`)} AS ${sql.id(`c${index}`)}`,
        )
        const [row = {}] = await store.read(compile(store.dialect, sql`SELECT ${sql.join(columns)}`))
        assert.deepEqual(
          texts.map((_, index) => row[`c${index}`]),
          texts.map(fold),
        )
      }),
      { numRuns: 30 },
    ))
}

onEachEngineVersion(({ name, freshUrl }) => testFolding(name, freshUrl))

// It has the case mappings of another version of Unicode than the newest one.
describe('on the PostgreSQL before the newest', () => {
  let server: OwnPostgres | undefined
  after(() => server?.stop())
  testFolding('postgres', async () => {
    server = await startOwnPostgres({ version: 'previous', flags: ['--no-sync'] })
    return server.url('postgres')
  })
})
