/**
 * Writes of SQLite. Those of requests run on the main thread, where no message between threads is needed, and another
 * thread waits for the disk. Long writes run in a thread of their own.
 */
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { messageOf } from '../../../errors.ts'
import { StartError } from '../../errors.ts'
import { onDemand } from '../../on-demand.ts'
import type { IndexDefinition, Transaction } from '../../store.ts'
import { openForWriting } from '../connection.ts'
import { failureOf, isFailedSync, notWritable, startError } from '../failures.ts'
import { startWriter, type Writer } from '../threads/writer-client.ts'
import type { DurabilityFailure } from './durability-failure.ts'
import { type Bounds, createGroupCommit } from './group-commit.ts'
import { createMainThreadExecutor } from './main-thread-executor.ts'
import type { Execute } from './operation.ts'
import { withPauses } from './pausing-executor.ts'
import { openWal } from './wal.ts'
import { createWriteLock, type WriteLock } from './write-lock.ts'

export interface WritesOptions {
  readonly bounds: Bounds
  /** The lock among the processes of one server. */
  readonly sharedLock: WriteLock | null
  readonly durability: DurabilityFailure
  /** The milliseconds that a write waits for another process. */
  readonly waitTimeout: number
  /** Called before a write starts and before the log is emptied: ends reads that would keep the log from starting again. */
  readonly endReads: () => void
  /** Logs a message for the operator. */
  readonly notice: (message: string) => void
}

export interface Writes {
  /** Runs work in a transaction that shares its commit with others. */
  write<Result>(work: (transaction: Transaction) => Promise<Result>, isLong: boolean): Promise<Result>
  /** Finishes the creation of an index: see `hand-over.ts`. */
  handOver(index: IndexDefinition): Promise<void>
  readonly commits: number
  /** The number of writes that wait for those before them. */
  readonly waiting: number
  /**
   * Closes after all writes have finished. The reading connections are closed first: the last connection to close
   * empties the log into the database, which only a writing one can do.
   */
  close(closeReaders: () => Promise<void>): Promise<void>
}

/**
 * The number of pages from which on the log is emptied into the database, about 65 MB: sixteen times SQLite's default. A
 * page that was written several times is moved once, so a longer log means less to move and fewer waits for writes. But
 * it takes disk space, and after a crash all of it is read at the start.
 */
const MAX_WAL_PAGES = 8_000

/** Opens the file for writing, creating it if necessary; a file that cannot be opened is a StartError. */
export function openWrites(path: string, options: WritesOptions): Writes {
  const { bounds, sharedLock, durability, waitTimeout, endReads, notice } = options
  const database = open(path, waitTimeout)
  const wal = openWal(path, durability, MAX_WAL_PAGES)
  durability.onFailure((cause) =>
    notice(
      `The disk of the database ${path} has failed to store a write (${messageOf(cause)}). All further writes are refused: check the disk, then restart the server`,
    ),
  )
  const lock = createWriteLock(sharedLock, bounds.patience)
  let writer: Writer | null = null
  const longWriter = onDemand(async () => {
    writer = await startWriter({ path, timeout: waitTimeout }, notice)
    return writer
  })

  let emptying: Promise<void> | null = null

  /** Moves most pages while others write. The second time no write runs, otherwise the log could never start again. */
  async function emptyWal() {
    const thread = await longWriter()
    await thread.emptyWal()
    await lock.acquire()
    endReads()
    try {
      wal.length.noteEmptied(await thread.emptyWal())
    } finally {
      lock.release()
    }
  }

  function emptyLongWal() {
    if (emptying || !wal.length.isLong()) return
    emptying = emptyWal()
      .catch((error) => {
        wal.length.noteFailed()
        if (isFailedSync(error)) durability.fail(error)
        notice(`The log of the database could not be emptied: ${messageOf(error)}`)
      })
      .finally(() => {
        emptying = null
      })
  }

  /** A write that was queued before the disk failed must not run after it. */
  const unlessFailed =
    (execute: Execute): Execute =>
    (operations, opens) => {
      if (opens && durability.error) throw durability.error
      if (opens) endReads()
      return execute(operations, opens)
    }

  const short = createGroupCommit(
    unlessFailed(withPauses(createMainThreadExecutor(database, waitTimeout))),
    bounds,
    {
      lock,
      gather: () => nextTurn(),
      durable() {
        emptyLongWal()
        return wal.sync()
      },
    },
  )
  const long = createGroupCommit(
    unlessFailed(async (operations, opens) => (await longWriter()).execute(operations, opens)),
    bounds,
    {
      lock,
      // The thread has synced the log, but that does not help if an earlier sync has failed.
      async durable() {
        if (durability.error) throw durability.error
      },
    },
  )

  /** No write starts after the disk has failed. */
  async function guarded<Result>(write: () => Promise<Result>): Promise<Result> {
    if (durability.error) throw durability.error
    try {
      return await write()
    } catch (error) {
      throw isFailedSync(error) ? durability.fail(error) : error
    }
  }

  return {
    write: (work, isLong) => guarded(() => (isLong ? long : short).write(work)),
    async handOver(index) {
      const thread = await longWriter()
      await lock.acquire()
      endReads()
      try {
        await guarded(() => thread.handOver(index))
      } finally {
        lock.release()
      }
    },
    get commits() {
      return short.commits + long.commits
    },
    get waiting() {
      return short.waiting + long.waiting
    },
    async close(closeReaders) {
      await Promise.all([short.drained(), long.drained()])
      await emptying
      await writer?.close()
      wal.close()
      await closeReaders()
      database.close()
    },
  }
}

function open(path: string, timeout: number): DatabaseSync {
  ensureWritable(path)
  try {
    const database = openForWriting({ path, timeout })
    // With FULL, each commit would also wait for the disk on this thread. `wal.ts` does that on another one.
    database.exec('PRAGMA synchronous = NORMAL')
    database.exec('PRAGMA wal_autocheckpoint = 0')
    database.exec('PRAGMA busy_timeout = 0')
    // After a page split, SQLite scans its whole cache at the commit: a smaller cache takes less time.
    database.exec('PRAGMA cache_size = -8192')
    // A server that ended without closing has left a log. If that was because of its disk, the disk may have less of
    // the log than can be read, and nothing after it would be safe. Does nothing while others use the file.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return database
  } catch (error) {
    throw startError(path, failureOf(error))
  }
}

/** SQLite itself would open a read-only file and fail at the first write. */
function ensureWritable(path: string) {
  const directory = dirname(path)
  try {
    mkdirSync(directory, { recursive: true })
  } catch (error) {
    throw new StartError(`Cannot create the folder of the database ${path}: ${messageOf(error)}`)
  }
  try {
    accessSync(directory, constants.W_OK)
    if (existsSync(path)) accessSync(path, constants.W_OK)
    // Only the user who runs the server can read it. SQLite gives its other files the same mode.
    else closeSync(openSync(path, 'a', 0o600))
  } catch {
    throw new StartError(notWritable(path))
  }
}
