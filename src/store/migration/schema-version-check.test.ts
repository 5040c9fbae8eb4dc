import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine, onServer } from '../../../test/support/engines.ts'
import { modelOfTypes } from '../../../test/support/models.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
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
  const put = (number: number, id: number, to = store) =>
    to.write(async (transaction) => {
      checkSchemaVersion(transaction, number)
      transaction.run(
        compile(engine.dialect, sql`INSERT INTO octavo_meta (key, value) VALUES (${`probe ${id}`}, '')`),
      )
    })
  const written = async (to = store) =>
    (await to.read(compile(engine.dialect, sql`SELECT key FROM octavo_meta WHERE key LIKE 'probe %'`))).length

  before(async () => {
    store = await openStore(await engine.freshUrl())
  })
  after(() => store.close())

  it('writes with the current schema version succeed, and others change nothing', async () => {
    const { schemaVersion } = await migrate(store, model('a'))
    await put(schemaVersion, 1001)
    const next = await migrate(store, model('a', 'b'))
    assert.equal(next.schemaVersion, schemaVersion + 1)
    await assert.rejects(put(schemaVersion, 1002), SchemaChanged)
    assert.equal(await written(), 1)
    await put(next.schemaVersion, 1002)
    assert.equal(await written(), 2)
  })

  it('no write that started before a migration commits after it with the previous model', async () => {
    const { schemaVersion } = await migrate(store, model('a', 'b', 'c'))
    const results = await Promise.allSettled([
      ...Array.from({ length: 20 }, (_, index) => put(schemaVersion, 2000 + index)),
      migrate(store, model('a', 'b', 'c', 'd')),
      ...Array.from({ length: 20 }, (_, index) => put(schemaVersion, 3000 + index)),
    ])
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    for (const failure of failures) assert.ok(failure instanceof SchemaChanged, String(failure))
    const kept = 40 - failures.length
    assert.equal(await written(), 2 + kept)
    await assert.rejects(put(schemaVersion, 4000), SchemaChanged)
  })

  if (engine.name === 'postgres')
    it('a write that has waited for a migration is refused, whatever isolation the database has by default', async () => {
      const url = await engine.freshUrl()
      const database = new URL(url).pathname.slice(1)
      await onServer(url, (client) =>
        client.query(`ALTER DATABASE ${database} SET default_transaction_isolation = 'repeatable read'`),
      )
      const strict = await openStore(url)
      try {
        const waiting = sql`SELECT 1 AS waiting FROM pg_locks JOIN pg_database ON pg_database.oid = database
          WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`
        const { schemaVersion } = await migrate(strict, model('a'))
        const writes: Promise<PromiseSettledResult<void>[]>[] = []
        await migrate(strict, model('a', 'b'), {
          beforeCommit: async () => {
            // It can be refused before the migration is known to have ended.
            writes.push(Promise.allSettled([put(schemaVersion, 1, strict)]))
            await waitUntil(async () => (await strict.read(compile(engine.dialect, waiting))).length > 0)
          },
        })
        const [outcome] = (await Promise.all(writes)).flat()
        assert.ok(outcome?.status === 'rejected' && outcome.reason instanceof SchemaChanged)
        assert.equal(await written(strict), 0)
      } finally {
        await strict.close()
      }
    })

  it('a migration from an outdated schema version is refused', async () => {
    const { schemaVersion } = await migrate(store, model('a', 'b', 'c', 'd'))
    await migrate(store, model('a', 'b', 'c', 'd', 'e'), { fromVersion: schemaVersion })
    await assert.rejects(
      migrate(store, model('a', 'b', 'c', 'd', 'f'), { fromVersion: schemaVersion }),
      SchemaChanged,
    )
  })
})
