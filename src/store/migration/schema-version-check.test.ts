import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { modelOfTypes } from '../../../test/support/models.ts'
import { compile } from '../compile.ts'
import { openStore } from '../open.ts'
import { SchemaChanged } from '../schema-changed.ts'
import { sql } from '../sql.ts'
import type { Store } from '../store.ts'
import { migrate } from './migrate.ts'
import { checkSchemaVersion } from './schema-version-check.ts'

onEachEngine((engine) => {
  let store: Store
  const string = { type: 'string' }
  const model = (...names: readonly string[]) =>
    modelOfTypes({ book: { attributes: Object.fromEntries(names.map((name) => [name, string])) } })
  const put = (number: number, id: number) =>
    store.write(async (transaction) => {
      checkSchemaVersion(transaction, number)
      transaction.run(
        compile(engine.dialect, sql`INSERT INTO octavo_meta (key, value) VALUES (${`probe ${id}`}, '')`),
      )
    })
  const written = async () =>
    (await store.read(compile(engine.dialect, sql`SELECT key FROM octavo_meta WHERE key LIKE 'probe %'`)))
      .length

  before(async () => {
    store = await openStore(await engine.freshUrl())
  })
  after(() => store.close())

  it('lets writes pass that know the model, and leaves no trace of others', async () => {
    const { schemaVersion: number } = await migrate(store, model('a'))
    await put(number, 1001)
    const next = await migrate(store, model('a', 'b'))
    assert.equal(next.schemaVersion, number + 1)
    await assert.rejects(put(number, 1002), SchemaChanged)
    assert.equal(await written(), 1)
    await put(next.schemaVersion, 1002)
    assert.equal(await written(), 2)
  })

  it('lets no write that began before a migration end after it with the previous model', async () => {
    const { schemaVersion: number } = await migrate(store, model('a', 'b', 'c'))
    const results = await Promise.allSettled([
      ...Array.from({ length: 20 }, (_, index) => put(number, 2000 + index)),
      migrate(store, model('a', 'b', 'c', 'd')),
      ...Array.from({ length: 20 }, (_, index) => put(number, 3000 + index)),
    ])
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    for (const failure of failures) assert.ok(failure instanceof SchemaChanged, String(failure))
    const kept = 40 - failures.length
    assert.equal(await written(), 2 + kept)
    await assert.rejects(put(number, 4000), SchemaChanged)
  })

  it('refuses a change that was made from a previous model', async () => {
    const { schemaVersion: number } = await migrate(store, model('a', 'b', 'c', 'd'))
    await migrate(store, model('a', 'b', 'c', 'd', 'e'), { fromVersion: number })
    await assert.rejects(
      migrate(store, model('a', 'b', 'c', 'd', 'f'), { fromVersion: number }),
      SchemaChanged,
    )
  })
})
