/**
 * Writes of SQLite. Those of requests run on a connection of the main thread, where a statement costs what it costs and
 * no message between threads; the disk is waited for elsewhere. What takes long runs in a thread of its own.
 */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextRound } from 'node:timers/promises'
import { messageOf } from '../../../errors.ts'
import { StartError } from '../../errors.ts'
import { onDemand } from '../../on-demand.ts'
import type { Transaction } from '../../store.ts'
import { openForWriting } from '../connection.ts'
import { failureOf, isFailedSync, notWritable, startMessage } from '../failures.ts'
import { startWriter, type Writer } from '../threads/writer-client.ts'
import type { DurabilityFailure } from './durability-failure.ts'
import { type Bounds, createGroupCommit } from './group-commit.ts'
import { createMainThreadExecutor } from './main-thread-executor.ts'
import type { Execute } from './operation.ts'
import { createContents } from './table-contents.ts'
import { openLog } from './wal.ts'
import { createWriteLock, type WriteLock } from './write-lock.ts'

export interface WritesOptions {
  readonly bounds: Bounds
  /** The lock among the processes of one server. */
  readonly sharedLock: WriteLock | null
  readonly durability: DurabilityFailure
  /** For how many milliseconds a write waits for that of another process. */
  readonly waitTimeout: number
  readonly notice: (words: string) => void
}

export interface Writes {
  /** Runs work in a transaction that shares its commit with others. */
  write<Result>(work: (transaction: Transaction) => Promise<Result>, long: boolean): Promise<Result>
  readonly commits: number
  /** Writes that wait for those before them. */
  readonly waiting: number
  /**
   * Closes when all is written. Connections that only read are closed before that of this file: the last one to close
   * empties the log into the database, which it must be allowed to.
   */
  close(closeReaders: () => Promise<void>): Promise<void>
}

/**
 * Pages of the log from which on it is emptied. A page that was written often is moved once: the longer the log, the
 * less there is to move, and the less often writes wait for it. But it takes room, and a server that did not come to its
 * end has to read it all. Twelve times what SQLite does by itself: some 50 MB.
 */
const LOG_PAGES = 12_000

/** Opens (or makes) the file for writing; one that cannot be opened is a StartError. */
export function openWrites(path: string, options: WritesOptions): Writes {
  const { bounds, sharedLock, durability: doubt, waitTimeout, notice } = options
  const database = open(path, waitTimeout)
  const log = openLog(path, doubt, LOG_PAGES)
  doubt.onFailure((cause) =>
    notice(
      `The disk of the database ${path} has failed to keep what was written (${messageOf(cause)}). Every further write is refused: see to the disk, then restart the server`,
    ),
  )
  const turn = createWriteLock(sharedLock, bounds.patience)
  let writer: Writer | null = null
  const longWriter = onDemand(async () => {
    writer = await startWriter({ path, timeout: waitTimeout }, notice)
    return writer
  })

  let emptying: Promise<void> | null = null

  /** Most of it while others write; nobody writes at the end, or the log would never be all done and begin again. */
  async function emptyLog() {
    const thread = await longWriter()
    await thread.emptyLog()
    await turn.acquire()
    try {
      log.length.emptied(await thread.emptyLog())
    } finally {
      turn.release()
    }
  }

  function emptyLongLog() {
    if (emptying || !log.length.isLong()) return
    emptying = emptyLog()
      .catch((error) => {
        log.length.failed()
        if (isFailedSync(error)) doubt.fail(error)
        notice(`The log of the database could not be emptied: ${messageOf(error)}`)
      })
      .finally(() => {
        emptying = null
      })
  }

  /** What is asked for before there is doubt may come to be executed after it. */
  const unlessInDoubt =
    (execute: Execute): Execute =>
    (operations, opens) => {
      if (opens && doubt.error) throw doubt.error
      return execute(operations, opens)
    }

  const short = createGroupCommit(unlessInDoubt(createMainThreadExecutor(database, waitTimeout)), bounds, {
    turn,
    gather: () => nextRound(),
    // Among several processes the next one may have its turn meanwhile.
    lingers: sharedLock === null,
    contents: createContents(),
    durable() {
      emptyLongLog()
      return log.durable()
    },
  })
  const long = createGroupCommit(
    unlessInDoubt(async (operations, opens) => (await longWriter()).execute(operations, opens)),
    bounds,
    {
      turn,
      // The thread has waited for the disk; but for nothing, if what lies before it in the log is not on it.
      async durable() {
        if (doubt.error) throw doubt.error
      },
    },
  )

  return {
    async write(work, isLong) {
      if (doubt.error) throw doubt.error
      try {
        return await (isLong ? long : short).write(work)
      } catch (error) {
        throw isFailedSync(error) ? doubt.fail(error) : error
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
      log.close()
      await closeReaders()
      database.close()
    },
  }
}

function open(path: string, timeout: number): DatabaseSync {
  makeWritable(path)
  try {
    const database = openForWriting({ path, timeout })
    // What FULL would add is to wait for the disk at each commit. That is done too, but not by this thread.
    database.exec('PRAGMA synchronous = NORMAL')
    database.exec('PRAGMA wal_autocheckpoint = 0')
    database.exec('PRAGMA busy_timeout = 0')
    // Where a page was split, SQLite looks through its whole cache at the commit: a smaller one takes less time.
    database.exec('PRAGMA cache_size = -8192')
    // What a server has left that did not come to its end: if that was for the disk's sake, there may be less of it on
    // the disk than can be read, and nothing that follows it would be safe. While others use the file nothing is left.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return database
  } catch (error) {
    throw new StartError(startMessage(path, failureOf(error)))
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
