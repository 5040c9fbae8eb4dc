/** The interface of a database, implemented by `sqlite/sqlite.ts` and `postgres/postgres.ts`. */
import type { ApiError } from '../errors.ts'
import type { Dialect } from './dialect.ts'
import type { EnginePlan } from './engine-plan.ts'
import type { MaybePromise } from './maybe-promise.ts'
import type { ReadLimits } from './reads/read-limits.ts'
import type { Sql } from './sql.ts'
import type { Row, RowInsert, SqlValue, Statement } from './statement.ts'

/** A transaction, in which all statements of a write run in order. */
export interface Transaction {
  readonly dialect: Dialect
  all(statement: Statement): Promise<readonly Row[]>
  /**
   * Runs a statement whose rows are not needed, before the statements that follow. Its failure shows later, but always
   * rejects the write: catch a UniqueViolation around `write`, not around `run`.
   */
  run(statement: Statement): void
  /**
   * Inserts rows before the statements that follow. If none does, they may be inserted together with those of other
   * writes that share the commit. Their failure rejects all of these.
   */
  append(insert: RowInsert): void
  /** Reserves `count` consecutive ids for component entries and returns the first. No id is given twice. */
  reserveEntryIds(count: number): Promise<number>
  /** Serializes writers of the same key (a document id) until the transaction ends. */
  lock(keys: readonly string[]): void
  /** Marks a table as changed: its version changes when the transaction commits. */
  touch(table: string): void
  /**
   * Says that no statement follows and that only the database can still refuse the write, so that the commit need not wait
   * for the responses to the statements before it.
   */
  complete(): void
}

/** Reads the rows of a query. */
export type ReadRows = (query: Sql) => Promise<readonly Row[]>

/** An index of a table of content. */
export interface IndexDefinition {
  readonly name: string
  readonly table: string
  /** Between `published`, `locale` and `id`, which every index has. */
  readonly columns: readonly string[]
}

export interface Store {
  readonly dialect: Dialect
  /**
   * Runs one read-only statement. Counted: a read request makes exactly one. If the caller names the tables that the
   * result depends on, a replica that has every known write to them may serve it. A read for a caller has limits: one that
   * takes longer is stopped with a 503, and one with more bytes is refused with a 400.
   */
  read(statement: Statement, tables?: readonly string[], limits?: ReadLimits): Promise<readonly Row[]>
  /**
   * Like `read`, but returns only the values of the first row, in the order of the columns. Faster than a row with names,
   * and synchronous for fast reads on SQLite.
   */
  readFirstRow(
    statement: Statement,
    tables?: readonly string[],
    limits?: ReadLimits,
  ): MaybePromise<readonly SqlValue[] | null>
  /**
   * Runs `work` with reads that all see the database as it was when the snapshot started. Writes go on meanwhile. The
   * reads are not counted. For commands: on SQLite each of them runs on the main thread, however long it takes.
   */
  snapshot<Result>(work: (read: ReadRows) => Promise<Result>): Promise<Result>
  /**
   * Runs `work` in a transaction. It is durable when the promise resolves, and leaves no trace when it rejects. After a
   * deadlock or serialization failure `work` runs again. With `long`, its statements do not block reads.
   */
  write<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: { readonly long?: boolean },
  ): Promise<Result>
  /**
   * The version of a table as known to this process: equal versions mean equal content. It changes before the promise of
   * a `write` that touched the table resolves, and when this process learns of a write by another one.
   */
  tableVersion(table: string): number
  /**
   * Called with each request as soon as it is read from the network. All requests read in one turn of the event loop were
   * sent before it, so one check for the writes of other processes serves them all.
   */
  requestArrived(): void
  /**
   * Called when a migration, perhaps of another process, has changed the tables, before anything uses the new model.
   * Statements that were prepared before have the types of the previous columns.
   */
  schemaChanged?(): void
  /** Stays the same for as long as the versions of all tables do. */
  globalVersion(): number
  /** Positions in the log of the database, on an engine that several servers can share. */
  readonly positions?: Positions
  /** The error that refuses every write since the disk has failed to store one; null if it has not. */
  readonly durabilityFailure: ApiError | null
  /** The number of statements that reads have run; for tests and metrics. */
  readonly statements: { readonly reads: number }
  /** Explains how the engine would run a statement, without running or counting it. */
  explain(statement: Statement): Promise<EnginePlan>
  /**
   * Creates an index of a table of content while reads and writes go on. An index that an interrupted attempt has left
   * unfinished is replaced; a complete one is left as it is. Rejects when `signal` aborts.
   */
  createIndex(index: IndexDefinition, signal?: AbortSignal): Promise<void>
  /** Drops an index, if it exists, while reads and writes go on. */
  dropIndex(name: string): Promise<void>
  metrics(): StoreMetrics
  close(): Promise<void>
}

/** A client receives a position after a write, and sends it back so that any process shows that write. */
export interface Positions {
  /** A position after every acknowledged write of this process; null when there is none. */
  latest(): string | null
  /** Resolves when this process knows of every write, anywhere, that was acknowledged with this position. */
  waitFor(position: string): Promise<void>
  /**
   * Resolves when this process knows of every write that another process of the same server has acknowledged; null when it
   * already does. Called before anything cached is used for a request.
   */
  catchUp(): Promise<void> | null
}

export interface StoreMetrics {
  /** Statements that read, and writes whether they succeeded or not. */
  readonly reads: number
  readonly writes: number
  /** Committed transactions: fewer than writes where several share one. */
  readonly commits: number
  /** The number of writes that wait for those before them. */
  readonly writesWaiting: number
  readonly refusedReads: RefusedReads
  readonly pools: readonly Pool[]
  readonly replicas: readonly ReplicaState[]
}

/** The number of reads that were refused, by the limit that they exceeded. */
export interface RefusedReads {
  readonly time: number
  readonly bytes: number
  /** The caller's share of the connections or threads. */
  readonly share: number
}

export interface ReplicaState {
  /** Its address, without credentials. */
  readonly name: string
  /** Why it is left out; null while it serves reads. */
  readonly leftOut: string | null
  /** The number of reads that it has served. */
  readonly reads: number
}

/** Connections to one server. */
export interface Pool {
  /** The server, such as `primary`. */
  readonly name: string
  readonly size: number
  readonly idle: number
  /** The number of requests that wait for a connection. */
  readonly waiting: number
}
