/** A database of storage format 3, in which records of the audit log waited in the table of the chain. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { auditTables } from '../../src/events/audit/tables.ts'
import { eventTables } from '../../src/events/outbox/tables.ts'
import { compile } from '../../src/store/compile.ts'
import { migrate } from '../../src/store/migration/migrate.ts'
import { openStore } from '../../src/store/open.ts'
import { type Sql, sql } from '../../src/store/sql.ts'
import type { Store } from '../../src/store/store.ts'
import { createOwnTables } from '../../src/store/tables/own-tables.ts'
import { onEachEngineVersion, type TestEngine } from '../support/engines.ts'
import { modelOfTypes } from '../support/models.ts'

const model = modelOfTypes({ book: { attributes: { title: { type: 'string' } } } })

onEachEngineVersion((engine) => {
  describe('from storage format 3', () => {
    const opened: Store[] = []
    after(async () => {
      for (const store of opened) await store.close()
    })

    for (const [whichTables, tables] of [
      ['if the log is on', [eventTables, auditTables]],
      ['if the log is off meanwhile', []],
    ] as const)
      it(`all records of the audit log are kept, ${whichTables}`, async () => {
        const store = await openStore(await engine.freshUrl())
        opened.push(store)
        await migrate(store, model)
        const { read, run } = await createOldTables(store, engine)
        await createOwnTables(store, ...tables)
        assert.deepEqual((await migrate(store, model)).plan, [])
        assert.deepEqual(await read(sql`SELECT id, action, hash FROM octavo_audit ORDER BY id`), [
          { id: 1, action: 'first', hash: 'a' },
          { id: 2, action: 'second', hash: 'b' },
        ])
        assert.deepEqual(await read(sql`SELECT action FROM octavo_audit_incoming`), [{ action: 'waiting' }])
        assert.deepEqual(await read(sql`SELECT last_seq, last_event FROM octavo_audit_chain`), [
          { last_seq: 2, last_event: 0 },
        ])
        assert.deepEqual(await read(sql`SELECT event, fields, address, user_agent FROM octavo_events`), [
          { event: 'document.create', fields: null, address: null, user_agent: null },
        ])
        await createOwnTables(store, eventTables, auditTables)
        await run(
          sql`INSERT INTO octavo_audit (id, at, action, author, fields, hash) VALUES (3, '', '', '', '', '')`,
        )
      })
  })
})

async function createOldTables(store: Store, { dialect }: TestEngine) {
  const read = (query: Sql) => store.read(compile(dialect, query))
  const run = (query: Sql) => store.write(async (transaction) => transaction.run(compile(dialect, query)))
  const id = sql.raw(dialect.ascendingIdType)
  for (const table of ['events', 'audit', 'audit_incoming', 'audit_chain'])
    await run(sql`DROP TABLE IF EXISTS ${sql.id(`octavo_${table}`)}`)
  const seq = dialect.hasSingleWriter ? sql`` : sql`seq bigint,`
  await run(sql`CREATE TABLE octavo_events (id ${id}, ${seq} event text, document_id text, removed text)`)
  await run(sql`INSERT INTO octavo_events (event) VALUES ('document.create')`)
  await run(sql`CREATE TABLE octavo_audit (id ${id}, ${seq}
    at text NOT NULL, action text NOT NULL, author text NOT NULL, type text, document_id text, locale text,
    fields text NOT NULL, details text, address text, user_agent text, request_id text, hash text)`)
  await run(sql`CREATE INDEX octavo_audit_author ON octavo_audit (author) WHERE hash IS NOT NULL`)
  await run(sql`CREATE TABLE octavo_audit_chain (id integer PRIMARY KEY, last_seq bigint NOT NULL,
    last_hash text NOT NULL, deleted_seq bigint NOT NULL, deleted_hash text NOT NULL)`)
  await run(sql`INSERT INTO octavo_audit_chain VALUES (1, 2, 'b', 0, '')`)
  const rows = dialect.hasSingleWriter
    ? sql`(at, action, author, fields, hash) VALUES ('', 'first', '', '', 'a'), ('', 'second', '', '', 'b'),
        ('', 'waiting', '', '', NULL)`
    : // Records were numbered in another order than that of their ids.
      sql`(at, action, author, fields, hash, seq) VALUES ('', 'second', '', '', 'b', 2),
        ('', 'waiting', '', '', NULL, NULL), ('', 'first', '', '', 'a', 1)`
  await run(sql`INSERT INTO octavo_audit ${rows}`)
  await run(sql`UPDATE octavo_meta SET value = '3' WHERE key = 'format'`)
  await run(sql`UPDATE octavo_meta SET value = 'of format 3' WHERE key = 'signature'`)
  return { read, run }
}
