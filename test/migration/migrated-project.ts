/** A project with content whose schema files change, to test whether and how the database is migrated. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { migrateAccess } from '../../src/access/migrate-access.ts'
import { loadProject } from '../../src/model/load-project.ts'
import { listBackups } from '../../src/store/migration/apply/backups.ts'
import { migrate, planMigration } from '../../src/store/migration/migrate.ts'
import { MigrationRefused, type PlannedChange } from '../../src/store/migration/plan/migration-plan.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import type { TestEngine } from '../support/engines.ts'
import { type Files, writeFiles } from '../support/project-folder.ts'
import { openProject, type ProjectServer, projectFolder } from '../support/project-server.ts'

export interface MigratedProject {
  /** Its database. */
  readonly url: string
  /** The running server. */
  server(): ProjectServer
  /** Creates a document and returns its documentId. */
  create(path: string, data: object): Promise<string>
  /** The body of a successful response. */
  get(url: string): Promise<string>
  /** The data of a successful response. */
  data(url: string): Promise<unknown>
  /** The plan for other schema files, which are then reverted. */
  plan(files: Files): Promise<readonly PlannedChange[]>
  /** Writes schema files, migrates the database and restarts the server. */
  apply(files: Files, accept?: 'nothing' | 'everything'): Promise<readonly PlannedChange[]>
  /** Expects a refusal that changes nothing, then applies the schema files with confirmation. */
  confirm(files: Files, refusal: RegExp): Promise<readonly PlannedChange[]>
  /** Expects a refusal even with confirmation, and reverts the schema files. */
  refuse(files: Files, refusal: RegExp): Promise<void>
  /** Opens the database directly. */
  withStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result>
  /** Kind and origin of each backup. */
  backups(): Promise<string[]>
}

/** Starts a server with the given schema files. */
export async function openMigratedProject(
  t: TestContext,
  engine: TestEngine,
  files: Files,
): Promise<MigratedProject> {
  const url = await engine.freshUrl()
  const folder = projectFolder(files)
  let present: Files = files
  let server = await openProject(folder, url, { production: true })
  t.after(() => server.remove())

  const withStore = <Result>(work: (store: Store) => Promise<Result>): Promise<Result> =>
    withDatabase(url, work)

  function put(next: Files) {
    const removed = Object.keys(present).filter((path) => !(path in next))
    writeFiles(folder, { ...next, ...Object.fromEntries(removed.map((path) => [path, null])) })
    present = next
  }

  const model = async () => (await loadProject(folder, {}, { database: { url } })).model
  const migrateTo = async (store: Store, accept: 'nothing' | 'everything') =>
    (await migrate(store, await model(), { accept, beforeCommit: migrateAccess })).plan
  const plan = async (store: Store) => planMigration(store, await model())

  async function apply(next: Files, accept: 'nothing' | 'everything' = 'nothing') {
    await server.close()
    put(next)
    const applied = await withStore(async (store) => {
      const planned = await plan(store)
      const changes = await migrateTo(store, accept)
      assert.deepEqual(
        changes.map(({ description }) => description),
        planned.map(({ description }) => description),
        'the applied changes are the planned ones',
      )
      assert.deepEqual(await plan(store), [])
      return changes
    })
    server = await openProject(folder, url, { production: true })
    return applied
  }

  /** Expects a refusal that changes nothing, and reverts the schema files. */
  async function refuse(next: Files, refusal: RegExp, accept: 'nothing' | 'everything') {
    const before = present
    await withStore(async (store) => {
      const dump = await dumpDatabase(store)
      put(next)
      await assert.rejects(migrateTo(store, accept), (error) => {
        assert.ok(error instanceof MigrationRefused, String(error))
        assert.match(error.message, refusal)
        return true
      })
      assert.equal(await dumpDatabase(store), dump, 'a refusal changes nothing')
    })
    put(before)
  }

  const get = async (path: string) => {
    const response = await server.request('GET', path)
    assert.equal(response.status, 200, `${path}: ${response.text}`)
    return response.text
  }

  return {
    url,
    server: () => server,
    get,
    withStore: withStore,
    data: async (path) => JSON.parse(await get(path)).data,
    async create(path, data) {
      const response = await server.request('POST', `/api/${path}`, { data })
      assert.equal(response.status, 201, response.text)
      return String(response.at('data', 'documentId'))
    },
    async plan(next) {
      const before = present
      put(next)
      const planned = await withStore(plan)
      put(before)
      return planned
    },
    apply,
    async confirm(next, refusal) {
      await refuse(next, refusal, 'nothing')
      return apply(next, 'everything')
    },
    refuse: (next, refusal) => refuse(next, refusal, 'everything'),
    backups: () =>
      withStore(async (store) => (await listBackups(store)).map(({ kind, of }) => `${kind}: ${of}`).sort()),
  }
}

/** Opens a database directly. */
export async function withDatabase<Result>(
  url: string,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(url)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/**
 * Tokens record when they were last used, SQLite counts the writes of other processes, and a server schedules its jobs,
 * which number events and chain the records of the audit log.
 */
const OTHERWISE_CHANGED = [
  ...['octavo_tokens', 'octavo_versions', 'octavo_jobs'],
  ...['octavo_events', 'octavo_audit', 'octavo_audit_incoming', 'octavo_audit_chain'],
]

/** Their tables change when a store has had no write for a second: it then adds the rows that wait. */
const SEARCH_INDEX = /^octavo_search_/

/** The content of all tables as text, besides those that change without a write to the content. */
export async function dumpDatabase(store: Store): Promise<string> {
  const plain = (sql: string) => store.read({ sql, parameters: [] })
  const names = await plain(
    store.dialect.name === 'sqlite'
      ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY 1`
      : `SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`,
  )
  const dumps: unknown[] = []
  // One after another, on one connection: opening more takes longer.
  for (const { name } of names) {
    if (OTHERWISE_CHANGED.includes(String(name))) continue
    const rows = SEARCH_INDEX.test(String(name)) ? [] : await plain(`SELECT * FROM "${name}"`)
    dumps.push([name, rows.map((row) => JSON.stringify(row)).sort()])
  }
  return JSON.stringify(dumps)
}

/** The kind, effect and row count of each change, in order. */
export const summarize = (plan: readonly PlannedChange[]) =>
  plan.map(({ change, effect, rows }) => `${change.kind} ${effect} ${rows}`)
