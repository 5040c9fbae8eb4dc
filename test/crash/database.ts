/** Looks at the database behind the server's back, after the server was killed. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

type Ask = (sql: string) => Promise<readonly Record<string, unknown>[]>

/** What each note says, by documentId, once everything in the database was found whole. */
export async function inspect(url: string): Promise<ReadonlyMap<string, string>> {
  if (url.startsWith('sqlite:')) {
    // A new connection recovers the write-ahead log as the next server would.
    const database = new DatabaseSync(url.slice('sqlite:'.length))
    try {
      const ask: Ask = async (sql) => database.prepare(sql).all()
      if ((await ask(`SELECT 1 FROM sqlite_master WHERE name = 'notes'`)).length === 0) return new Map()
      assert.deepEqual(
        (await ask('PRAGMA integrity_check')).map((row) => row.integrity_check),
        ['ok'],
      )
      return await notesOf(ask)
    } finally {
      database.close()
    }
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const ask: Ask = async (sql) => (await client.query<Record<string, unknown>>(sql)).rows
    await goneOthers(ask)
    if ((await ask(`SELECT 1 FROM pg_tables WHERE tablename = 'notes'`)).length === 0) return new Map()
    return await notesOf(ask)
  } finally {
    await client.end()
  }
}

/** The server ends the sessions of a killed process by itself, a moment later. */
async function goneOthers(ask: Ask) {
  const others = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`
  while ((await ask(others)).length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

async function notesOf(ask: Ask): Promise<ReadonlyMap<string, string>> {
  const rows = await ask(
    `SELECT note.document_id, note.published, note.a_first, note.a_second, note.a_parts, note.served,
      (SELECT count(*) FROM octavo_edges AS edge WHERE edge.source = note.id AND edge.relation =
        (SELECT id FROM octavo_relations WHERE key = 'api::note.note||tags')) AS tags
      FROM notes AS note ORDER BY note.document_id, note.published`,
  )
  const words = new Map<string, string[]>()
  for (const row of rows) {
    const word = String(row.a_first)
    const said = [row.a_second, ...labelsOf(row.a_parts), ...(String(row.served).match(/"w\d+\.\d+"/g) ?? [])]
    for (const one of said)
      assert.equal(String(one).replaceAll('"', ''), word, `half a note: ${JSON.stringify(row)}`)
    assert.equal(said.length, 5, `half a note: ${JSON.stringify(row)}`)
    assert.equal(Number(row.tags), 2, `a note without its tags: ${JSON.stringify(row)}`)
    const document = String(row.document_id)
    words.set(document, [...(words.get(document) ?? []), word])
  }
  for (const [document, [draft, published, ...more]] of words)
    assert.ok(draft === published && more.length === 0, `half a note: ${document} ${draft} ${published}`)
  const orphans = await ask(
    `SELECT source FROM octavo_edges AS edge WHERE NOT EXISTS (SELECT 1 FROM notes WHERE notes.id = edge.source)`,
  )
  assert.deepEqual(orphans, [], 'edges of notes that are gone')
  return new Map([...words].map(([document, [word = '']]) => [document, word]))
}

function labelsOf(parts: unknown): string[] {
  const entries: unknown = typeof parts === 'string' ? JSON.parse(parts) : parts
  assert.ok(Array.isArray(entries))
  return entries.flatMap((entry: { s: string }) => entry.s.match(/w\d+\.\d+/g) ?? [])
}
