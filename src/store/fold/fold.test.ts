import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { modelOfTypes } from '../../../test/support/models.ts'
import { migrate } from '../migration/migrate.ts'
import { openStore } from '../open.ts'
import { differences, foldFunction } from '../postgres/fold-function.ts'
import type { Store } from '../store.ts'
import { fold } from './fold.ts'

/** Every character that text can contain: all code points except U+0000 and surrogates. */
const EVERY_CHARACTER = `
  WITH RECURSIVE codes (code) AS (SELECT 1 UNION ALL SELECT code + 1 FROM codes WHERE code < LAST)
  SELECT code, octavo_fold(CHARACTER(code)) AS folded FROM codes
  WHERE code NOT BETWEEN 55296 AND 57343 AND octavo_fold(CHARACTER(code)) <> CHARACTER(code) ORDER BY code`

const LAST = 0x10ffff

const expected = (last = LAST) => {
  const changed: { code: number; folded: string }[] = []
  for (let code = 1; code <= last; code++) {
    if (code === 0xd800) code = 0xe000
    const character = String.fromCodePoint(code)
    if (fold(character) !== character) changed.push({ code, folded: fold(character) })
  }
  return changed
}

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

onEachEngine((engine) => {
  let store: Store
  before(async () => {
    store = await openStore(await engine.freshUrl())
    await migrate(store, modelOfTypes({}))
  })
  after(() => store.close())

  const character = engine.name === 'sqlite' ? 'char' : 'chr'
  const foldedByEngine = async (last = LAST) => {
    const sql = EVERY_CHARACTER.replaceAll('CHARACTER', character).replace('LAST', String(last))
    return (await store.read({ sql, parameters: [] })).map(({ code, folded }) => ({ code, folded }))
  }

  test('the engine folds every character of Unicode as JavaScript does', async () => {
    assert.deepEqual(await foldedByEngine(), expected())
  })

  if (engine.name === 'postgres') {
    test('a server without Unicode case tables folds the same, by corrections', async () => {
      await store.write(async (transaction) => {
        const corrections = await differences(transaction.all, '$1')
        transaction.run({ sql: foldFunction('$1', corrections), parameters: [] })
      })
      assert.deepEqual(await foldedByEngine(0x2fff), expected(0x2fff))
    })
  }
})
