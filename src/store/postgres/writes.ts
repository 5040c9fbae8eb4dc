/** Writes on PostgreSQL: a transaction each, run again when it lost against a concurrent one, and announced to other processes. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { errors } from '../../errors.ts'
import { UnknownOutcome } from '../errors.ts'
import type { Statement } from '../statement.ts'
import type { Transaction } from '../store.ts'
import { withClient } from './connection/connection.ts'
import type { Connections } from './connection/connections.ts'
import { isConflict, isReadOnlyServer, isStale, isUnreachable, translate } from './failures.ts'
import type { keepDatabaseStatistics } from './maintenance/statistics.ts'
import { COMMIT, inTransaction } from './transaction.ts'
import type { followVersions } from './versions/versions.ts'

export interface WriteOptions {
  readonly connections: Connections
  readonly versions: Awaited<ReturnType<typeof followVersions>>
  readonly statistics: ReturnType<typeof keepDatabaseStatistics>
  /** Called when a prepared statement does not fit the tables any more, or does not exist. */
  forgetStatements(error: unknown): void
  /** The milliseconds that a statement may take; Infinity for any time. */
  readonly longest: number
}

type Work<Result> = (transaction: Transaction) => Promise<Result>

export interface Writes {
  /** Resolves when the write is stored, and other processes have been notified. */
  write<Result>(work: Work<Result>, isLong: boolean): Promise<Result>
  counts(): { readonly writes: number; readonly commits: number }
}

const MAX_ATTEMPTS = 8
const CHANGES_TABLES = /^\s*(alter|create|drop)\s/i

export function createWrites({
  connections,
  versions,
  statistics,
  forgetStatements,
  longest,
}: WriteOptions): Writes {
  const { main, long, direct } = connections
  const entryIds = { next: 0, left: 0 }
  let writes = 0
  let commits = 0

  function attempt<Result>(work: Work<Result>, isLong: boolean) {
    const { pool, session } = isLong ? long : main
    return withClient(pool, async (client) => {
      let changesTables = false
      let isCommitSent = false
      const sendHere = (statements: readonly Statement[]) => {
        changesTables ||= statements.some(({ sql }) => CHANGES_TABLES.test(sql))
        // The server's own limit does not apply while a commit waits for a synchronous standby.
        const isCommit = statements.at(-1)?.sql === COMMIT
        isCommitSent ||= isCommit
        const hasLimit = !isLong && Number.isFinite(longest) && isCommit
        return session.sendAll(client, statements, hasLimit ? longest * statements.length : undefined)
      }
      try {
        // Whatever the default of the database: a write that has waited for a lock must see what was committed meanwhile.
        const begin = session.begin(client, 'BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE')
        const done = await inTransaction(sendHere, begin, entryIds, work)
        // A prepared statement keeps the types of its parameters, even when another table now has the name it uses.
        if (changesTables) direct.names.forgetAll()
        return { ...done, isReplicated: !connections.takeUnreplicated(client) }
      } catch (error) {
        if (isStale(error)) forgetStatements(error)
        // The COMMIT may have reached the server before the connection broke.
        const isUnknown = isCommitSent && isUnreachable(error)
        if (isUnknown) versions.noteUnknownOutcome()
        if (isReadOnlyServer(error)) versions.reconnect()
        throw isUnknown ? new UnknownOutcome() : error
      }
    })
  }

  return {
    async write(work, isLong) {
      writes++
      for (let count = 1; ; count++) {
        try {
          const { result, touched, isReplicated } = await attempt(work, isLong)
          commits++
          versions.noteWrite(touched)
          statistics.noteWrite(touched)
          // A write that other processes cannot be notified of is not acknowledged.
          if (touched.size > 0 && (await versions.announce(touched)) === null) throw new UnknownOutcome()
          if (!isReplicated)
            throw errors.unavailable(1, 'The write is stored, but no standby has confirmed it in time')
          return result
        } catch (error) {
          if (count === MAX_ATTEMPTS || !(isConflict(error) || isStale(error))) throw translate(error)
          await sleep(randomInt(2, 8 * 2 ** count))
        }
      }
    },
    counts: () => ({ writes, commits }),
  }
}
