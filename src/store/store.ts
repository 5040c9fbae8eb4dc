/** What the rest of the server knows of a database. `sqlite.ts` and `postgres.ts` implement it. */
import type { ApiError } from '../errors.ts'
import type { Dialect } from './dialect.ts'
import type { EnginePlan } from './engine-plan.ts'
import type { MaybePromise } from './maybe-promise.ts'
import type { Sql } from './sql.ts'
import type { Row, SqlValue, Statement } from './statement.ts'

/** A transaction. Every statement of a write goes through it, in order. */
export interface Transaction {
  readonly dialect: Dialect
  all(statement: Statement): Promise<readonly Row[]>
  /**
   * Runs a statement whose rows nobody needs, before whatever is asked for after it. Its failure shows later than
   * here, but always rejects the write: catch a UniqueViolation around `write`, not around `run`.
   */
  run(statement: Statement): void
  /** Like `run`, for what cannot come out otherwise in the rest of the transaction, so that once is enough. */
  runOnce(statement: Statement): void
  /** Reserves `count` ids for component entries and returns the first of them. Never handed out twice. */
  reserveEntryIds(count: number): Promise<number>
  /** Serializes writers of the same key (a document id) until the transaction ends. */
  lock(keys: readonly string[]): void
  /**
   * Stands for what a table holds: the same object, in this transaction or in a later one, means the same content. Null
   * where that cannot be told, as of a table that this transaction has touched.
   */
  contentToken(table: string): MaybePromise<object | null>
  /** Marks a table as changed: when the transaction commits, its version is bumped. */
  touch(table: string): void
}

/** Reads the rows of a query. */
export type ReadRows = (query: Sql) => Promise<readonly Row[]>

export interface Store {
  readonly dialect: Dialect
  /**
   * Runs one read-only statement. Counted: a request that reads makes exactly one of these. Who names the tables that
   * the answer depends on may be answered by a replica that shows every write to them that this process knows of.
   */
  read(statement: Statement, tables?: readonly string[]): Promise<readonly Row[]>
  /**
   * Runs one read-only statement, counted like any, and answers with the values of its first row in the order of its
   * columns: cheaper than a row with names, and at once where the engine is in this process.
   */
  readFirstRow(statement: Statement, tables?: readonly string[]): MaybePromise<readonly SqlValue[] | null>
  /**
   * Runs `work` with reads that all see the database as it was when the snapshot started. Writes go on meanwhile. The
   * reads are not counted. For commands: on SQLite each of them runs on the main thread, however long it takes.
   */
  snapshot<Result>(work: (read: ReadRows) => Promise<Result>): Promise<Result>
  /**
   * Runs `work` in a transaction; durable when the promise resolves, without a trace when it rejects. Retries
   * by itself when the engine reports a deadlock or serialization failure, so `work` may run more than once. Work with
   * `long` statements runs where it holds up no reader.
   */
  write<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: { readonly long?: boolean },
  ): Promise<Result>
  /**
   * The version of a table as far as this process knows: equal versions mean equal content. Bumped before the
   * promise of the `write` that touched it resolves, and when another process is seen to have written.
   */
  tableVersion(table: string): number
  /**
   * To be called with each request, right when it is read from the network. All requests that are read in one turn of
   * the event loop were sent before it, so one look for the writes of other processes serves them all.
   */
  requestArrived(): void
  /** As long as this number is the same, so is the version of every table. */
  globalVersion(): number
  /** Where writes lie in the database's log, on an engine with several servers or processes that hear of each other. */
  readonly positions?: Positions
  /** What every write is refused with since the disk of an engine in this process has failed; null when it has not. */
  readonly durabilityFailure: ApiError | null
  /** How many statements `read` has run; for tests and metrics. */
  readonly statements: { readonly reads: number }
  /** How the engine would run a statement; it is not run, and not counted. */
  explain(statement: Statement): Promise<EnginePlan>
  /** How busy the store is. */
  metrics(): StoreMetrics
  close(): Promise<void>
}

/** What a caller is given after a write, and brings back so that any process shows that write. */
export interface Positions {
  /** A position behind every acknowledged write of this process; null when there is none to give. */
  latest(): string | null
  /** Resolves when this process knows of every write that was acknowledged with this position, here or elsewhere. */
  waitFor(position: string): Promise<void>
  /**
   * Resolves when this process knows of every write that another process of the same server has acknowledged so far;
   * null when it does already. To be asked before anything that it remembers is used for a request.
   */
  catchUp(): Promise<void> | null
}

export interface StoreMetrics {
  /** Statements that read, and writes that ended well or not. */
  readonly reads: number
  readonly writes: number
  /** Transactions on disk; less than writes where several share one. */
  readonly commits: number
  /** Writes that wait for those before them. */
  readonly writesWaiting: number
  readonly pools: readonly Pool[]
  readonly replicas: readonly ReplicaState[]
}

/** How a replica is. */
export interface ReplicaState {
  /** Its address, without credentials. */
  readonly name: string
  /** Why it is left out; null when it serves. */
  readonly leftOut: string | null
  /** Statements that it has answered. */
  readonly reads: number
}

/** Connections to one server. */
export interface Pool {
  /** Which server, such as `primary`. */
  readonly name: string
  readonly size: number
  readonly idle: number
  /** Requests that wait for a connection. */
  readonly waiting: number
}
