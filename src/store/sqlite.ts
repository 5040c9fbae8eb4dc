/**
 * The embedded engine: reads run on a connection of the main thread, writes on one in a worker thread, so that
 * waiting for the disk never holds up a reader.
 */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { errors } from '../errors.ts'
import { StartError, UniqueViolation } from './failure.ts'
import { FOLD, fold } from './fold.ts'
import { type Bounds, createGroupCommit, type Operation, OperationFailure } from './group-commit.ts'
import { MOVED, SchemaMoved } from './moved.ts'
import { narrow, plainRows } from './sqlite-rows.ts'
import type { SqliteFailure, WriterOpened, WriterReply, WriterRequest } from './sqlite-writer.ts'
import type { Row, Statement, Store } from './store.ts'

const BOUNDS: Bounds = { queue: 10_000, jobs: 128, milliseconds: 20, patience: 30_000 }
const PREPARED_STATEMENTS = 500

/** Opens (or makes) the database file and answers with its store. */
export async function openSqlite(
  path: string,
  bounds: Bounds = BOUNDS,
): Promise<Store & { readonly commits: number }> {
  const writer = await startWriter(path)
  const database = openReader(path)
  const versions = followVersions(database)
  const group = createGroupCommit(writer.execute, bounds)
  const select = createSelect(database)
  let reads = 0
  let closed = false
  const refuseClosed = () => {
    if (closed) throw errors.unavailable(1, 'The database is closed')
  }
  return {
    engine: 'sqlite',
    async read(statement) {
      refuseClosed()
      reads++
      return select(statement)
    },
    async write(work) {
      refuseClosed()
      return group.write(work)
    },
    versionOf: versions.of,
    statements: {
      get reads() {
        return reads
      },
    },
    get commits() {
      return group.commits
    },
    async close() {
      if (closed) return
      closed = true
      await group.drained()
      database.close()
      await writer.close()
    },
  }
}

function openReader(path: string): DatabaseSync {
  const database = new DatabaseSync(path, {
    readOnly: true,
    enableForeignKeyConstraints: false,
    timeout: 5_000,
  })
  database.exec('PRAGMA mmap_size = 268435456')
  database.exec('PRAGMA cache_size = -32768')
  database.exec('PRAGMA temp_store = MEMORY')
  database.function(FOLD, { deterministic: true }, (text) => (typeof text === 'string' ? fold(text) : text))
  return database
}

function createSelect(database: DatabaseSync): (statement: Statement) => readonly Row[] {
  const prepared = new LRUCache<string, StatementSync>({ max: PREPARED_STATEMENTS })
  return ({ sql, parameters }) => {
    try {
      let statement = prepared.get(sql)
      if (!statement) {
        statement = database.prepare(sql)
        prepared.set(sql, statement)
      }
      try {
        return plainRows(statement.all(...parameters))
      } catch (error) {
        if (!isOutOfRange(error)) throw error
        // Rare enough to pay for it only when it happens: an integer that a number cannot hold.
        const exact = database.prepare(sql)
        exact.setReadBigInts(true)
        return exact.all(...parameters).map(narrow)
      }
    } catch (error) {
      throw translate(failureOf(error), error)
    }
  }
}

const isOutOfRange = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'

/** Versions of tables, kept in the database itself so that every process that writes to it is seen. */
function followVersions(database: DatabaseSync) {
  const dataVersion = database.prepare('PRAGMA data_version')
  const changes = database.prepare(
    'SELECT name, version FROM octavo_versions WHERE version > ? ORDER BY version',
  )
  const versions = new Map<string, number>()
  let known: unknown
  let latest = -1
  let fresh = false
  return {
    of(table: string): number {
      if (!fresh) {
        // One look serves all the questions of a callback: nothing it has acknowledged can be newer.
        fresh = true
        process.nextTick(() => {
          fresh = false
        })
        const now = dataVersion.get()?.data_version
        if (now !== known) {
          known = now
          for (const { name, version } of changes.all(latest)) {
            latest = Number(version)
            versions.set(String(name), latest)
          }
        }
      }
      return versions.get(table) ?? 0
    },
  }
}

async function startWriter(path: string) {
  makeWritable(path)
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./sqlite-writer.${extension}`, import.meta.url), {
    workerData: { path },
  })
  const waiting = new Map<
    number,
    { resolve: (reply: WriterReply) => void; reject: (error: unknown) => void }
  >()
  let requests = 0
  let broken: Error | null = null
  let outgoing: WriterRequest[] = []

  /** What is asked for in one go travels in one message: a message between threads costs more than a statement. */
  function post(request: WriterRequest) {
    outgoing.push(request)
    if (outgoing.length > 1) return
    worker.ref()
    queueMicrotask(() => {
      worker.postMessage(outgoing)
      outgoing = []
    })
  }

  const { failure } = await new Promise<WriterOpened>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  if (failure) {
    await worker.terminate()
    throw new StartError(startMessage(path, failure))
  }
  worker.on('message', (replies: readonly WriterReply[]) => {
    for (const reply of replies) {
      const caller = waiting.get(reply.id)
      waiting.delete(reply.id)
      caller?.resolve(reply)
    }
    if (waiting.size === 0) worker.unref()
  })
  worker.on('error', (error) => {
    broken = errors.unavailable(30, 'The writer of the database has stopped')
    broken.cause = error
    for (const { reject } of waiting.values()) reject(broken)
    waiting.clear()
  })
  // Only a write under way keeps the process alive. Listening to messages has made the worker hold it: last, let go.
  worker.unref()

  return {
    async execute(operations: readonly Operation[], opens: boolean) {
      if (broken) throw broken
      const request: WriterRequest = { id: ++requests, opens, operations }
      const reply = await new Promise<WriterReply>((resolve, reject) => {
        waiting.set(request.id, { resolve, reject })
        post(request)
      })
      if ('rows' in reply) return reply.rows
      throw new OperationFailure(reply.failed, reply.open, translate(reply.failure))
    },
    close: () =>
      new Promise<void>((resolve) => {
        worker.ref()
        worker.once('exit', () => resolve())
        worker.postMessage('close')
      }),
  }
}

/** SQLite would open a file that it may only read, and fail at the first write. */
function makeWritable(path: string) {
  const directory = dirname(path)
  try {
    mkdirSync(directory, { recursive: true })
  } catch (error) {
    throw new StartError(`Cannot make the folder of the database ${path}: ${messageOf(error)}`)
  }
  try {
    accessSync(directory, constants.W_OK)
    if (existsSync(path)) accessSync(path, constants.W_OK)
  } catch {
    throw new StartError(notWritable(path))
  }
}

const notWritable = (path: string) =>
  `The database ${path} cannot be written to: check the permissions of the file and its folder`

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const failureOf = (error: unknown): SqliteFailure => ({
  message: messageOf(error),
  code: error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0,
})

const PRIMARY = 0xff
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IO_ERROR = 10
const CORRUPT = 11
const FULL = 13
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26
const UNIQUE = 2067
const PRIMARY_KEY = 1555

/** The error that the rest of the server sees for a failure of SQLite. */
function translate(failure: SqliteFailure, cause: unknown = failure): Error {
  if (failure.message === MOVED) return new SchemaMoved()
  if (failure.code === UNIQUE || failure.code === PRIMARY_KEY) {
    const columns = failure.message.replace(/^.*: /, '').split(', ')
    return new UniqueViolation(
      columns[0]?.split('.')[0] ?? '',
      columns.map((column) => column.split('.').at(-1) ?? column),
      cause,
    )
  }
  switch (failure.code & PRIMARY) {
    case BUSY:
    case LOCKED:
      return errors.unavailable(1, 'The database is busy')
    case FULL:
      return errors.unavailable(30, 'The disk of the database is full')
    case READONLY:
      return errors.unavailable(30, 'The database cannot be written to')
    case IO_ERROR:
    case CANNOT_OPEN:
      return errors.unavailable(30, 'The disk of the database fails')
    default:
      return new Error(`SQLite: ${failure.message}`, { cause })
  }
}

function startMessage(path: string, failure: SqliteFailure): string {
  switch (failure.code & PRIMARY) {
    case READONLY:
      return notWritable(path)
    case CANNOT_OPEN:
      return `The database ${path} cannot be opened: check that it is a file you may read and write`
    case CORRUPT:
    case NOT_A_DATABASE:
      return `The file ${path} is damaged or is not an SQLite database`
    case BUSY:
      return `The database ${path} is locked by another program`
    case FULL:
      return `The disk of the database ${path} is full`
    default:
      return `The database ${path} cannot be opened: ${failure.message}`
  }
}
