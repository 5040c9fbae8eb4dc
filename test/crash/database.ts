/** Reads the database directly, after the server was killed. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

type Query = (sql: string) => Promise<readonly Record<string, unknown>[]>

/** By documentId. */
export interface StoredNotes {
  readonly texts: ReadonlyMap<string, string>
  /** The actions of the events and of the audit log, in order. */
  readonly events: ReadonlyMap<string, readonly string[]>
  readonly audit: ReadonlyMap<string, readonly string[]>
}

const NOTHING: StoredNotes = { texts: new Map(), events: new Map(), audit: new Map() }

/** Checks that the database is consistent, and returns the notes in it with the records of their changes. */
export async function readNotes(url: string): Promise<StoredNotes> {
  if (url.startsWith('sqlite:')) {
    // A new connection recovers the write-ahead log as the next server would.
    const database = new DatabaseSync(url.slice('sqlite:'.length))
    try {
      const query: Query = async (sql) => database.prepare(sql).all()
      if ((await query(`SELECT 1 FROM sqlite_master WHERE name = 'octavo_audit'`)).length === 0)
        return NOTHING
      assert.deepEqual(
        (await query('PRAGMA integrity_check')).map((row) => row.integrity_check),
        ['ok'],
      )
      return await checkNotes(query, 'id')
    } finally {
      database.close()
    }
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const query: Query = async (sql) => (await client.query<Record<string, unknown>>(sql)).rows
    await waitForOtherSessions(query)
    if ((await query(`SELECT 1 FROM pg_tables WHERE tablename = 'octavo_audit'`)).length === 0) return NOTHING
    return await checkNotes(query, 'seq')
  } finally {
    await client.end()
  }
}

/** PostgreSQL ends the sessions of a killed process shortly after its death. */
async function waitForOtherSessions(query: Query) {
  const others = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`
  while ((await query(others)).length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** `seq` is the column with the sequence number of an event. */
async function checkNotes(query: Query, seq: 'id' | 'seq'): Promise<StoredNotes> {
  const rows = await query(
    `SELECT note.document_id, note.published, note.a_first, note.a_second, note.a_parts, note.served,
      (SELECT count(*) FROM octavo_edges AS edge WHERE edge.source = note.id AND edge.relation =
        (SELECT id FROM octavo_relations WHERE key = 'api::note.note||tags')) AS tags
      FROM notes AS note ORDER BY note.document_id, note.published`,
  )
  const texts = new Map<string, string[]>()
  for (const row of rows) {
    const text = String(row.a_first)
    const copies = [
      row.a_second,
      ...labelsOf(row.a_parts),
      ...(String(row.served).match(/"w\d+\.\d+"/g) ?? []),
    ]
    for (const one of copies)
      assert.equal(String(one).replaceAll('"', ''), text, `partly written note: ${JSON.stringify(row)}`)
    assert.equal(copies.length, 5, `partly written note: ${JSON.stringify(row)}`)
    assert.equal(Number(row.tags), 2, `a note without its tags: ${JSON.stringify(row)}`)
    const document = String(row.document_id)
    texts.set(document, [...(texts.get(document) ?? []), text])
  }
  for (const [document, [draft, published, ...more]] of texts)
    assert.ok(
      draft === published && more.length === 0,
      `partly written note: ${document} ${draft} ${published}`,
    )
  const orphans = await query(
    `SELECT source FROM octavo_edges AS edge WHERE NOT EXISTS (SELECT 1 FROM notes WHERE notes.id = edge.source)`,
  )
  assert.deepEqual(orphans, [], 'edges of deleted notes')
  return {
    texts: new Map([...texts].map(([document, [text = '']]) => [document, text])),
    events: await actionsOf(
      query,
      'SELECT id AS place, document_id, type, event AS action FROM octavo_events',
    ),
    audit: await actionsOf(query, auditRecords(seq)),
  }
}

/** Those in the chain, and after them those that the audit log will take from events. */
const auditRecords = (seq: string) => `SELECT id AS place, document_id, type, action FROM octavo_audit
  UNION ALL SELECT last_seq + event.id, document_id, type, event FROM octavo_events AS event, octavo_audit_chain
  WHERE event.fields IS NOT NULL AND coalesce(event.${seq} > last_event, true)`

/** Writers of the same document wait for each other, so its records have ids in the order of the writes. */
async function actionsOf(query: Query, records: string) {
  const rows = await query(
    `SELECT document_id, action FROM (${records}) AS record WHERE type = 'api::note.note' ORDER BY place`,
  )
  const byDocument = Map.groupBy(rows, (row) => String(row.document_id))
  return new Map([...byDocument].map(([document, list]) => [document, list.map((row) => String(row.action))]))
}

function labelsOf(parts: unknown): string[] {
  const entries: unknown = typeof parts === 'string' ? JSON.parse(parts) : parts
  assert.ok(Array.isArray(entries))
  return entries.flatMap((entry: { s: string }) => entry.s.match(/w\d+\.\d+/g) ?? [])
}
