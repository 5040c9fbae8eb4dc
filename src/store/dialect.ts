/** What differs between the two database engines: pieces of SQL, and what each engine can do. */
import type { SearchDialect } from './search/search-dialect.ts'
import type { Sql } from './sql.ts'
import type { Row, Statement } from './statement.ts'

export type EngineName = 'sqlite' | 'postgres'

export interface Dialect {
  readonly name: EngineName
  /** The name of the engine in OpenTelemetry's conventions. */
  readonly telemetryName: string

  /** Whether writes run one at a time, so that they need no locks on documents or rows. */
  readonly hasSingleWriter: boolean
  /** Whether the id of a new row can be known before the row is inserted. */
  readonly knowsRowIdsBeforeInsert: boolean
  /** Whether an index refuses long values, and so has to hold a digest or a prefix of them. */
  readonly limitsIndexedLength: boolean
  /** Whether the inverse index of edges stores the edges of drafts apart from those of published versions. */
  readonly separatesDraftsInInverseIndex: boolean
  /** A list of up to this many values is passed as one parameter per value, a longer one as one JSON array. */
  readonly maxListParameters: number

  /** Whether placeholders name the number of their parameter; otherwise they are in the order of the parameters. */
  readonly numbersPlaceholders: boolean
  /** The placeholder of a parameter; the first is number 1. */
  placeholder(number: number): string
  /** Starts an INSERT into a table. */
  insertInto(table: Sql): Sql
  /** Placed before VALUES, so that an identity column takes the ids that are given. */
  readonly overridingIds: Sql
  /** A JOIN that reads the left table first where the engine lets a statement choose. */
  readonly joinInOrder: Sql
  /** Ends a SELECT of rows to be changed: leaves out those that another transaction is changing. */
  readonly skipLocked: Sql
  /** Whether a column is in a JSON array of strings. */
  inTexts(column: Sql, list: Sql): Sql
  /** Whether a column is in a JSON array of integers. */
  inIntegers(column: Sql, list: Sql): Sql
  /** Whether a column is among the rows of a subquery, which runs once. */
  inSubquery(column: Sql, subquery: Sql): Sql
  /** A FROM item with the elements of a JSON array as `item.value`. */
  jsonItems(list: Sql): Sql
  /** A FROM item with the objects of a JSON array as rows of a table. */
  rowsFromJson(table: string, columns: readonly string[], list: Sql): Sql
  /** A text column of a content-type, for a comparison that uses an index of one of the server's own tables. */
  asOwnText(column: Sql): Sql
  /** The objects of a JSON array as rows called `item`, with columns of these types. */
  recordsFromJson(columns: Readonly<Record<string, 'bigint' | 'text'>>, list: Sql): Sql
  /** Text as JSON, for `rowsFromJson`. */
  jsonText(text: Sql): Sql
  /** The table itself, inside a common table expression of the same name. */
  storedTable(name: string): Sql
  /** Text as a value of a column type. */
  toColumnType(text: Sql, columnType: string): Sql
  /** Whether a value contains a text, in the words that a partial index uses. */
  contains(value: Sql, text: string): Sql
  /** Follows a column of an index that serves lists, which are sorted with nulls first. */
  readonly nullsFirst: string
  /** Stops the creation of an index, so that its table can change, or drops what an interrupted one has left. */
  readonly stopIndexCreation: (name: string) => readonly Sql[]
  /** About how many bytes an entry of an index takes besides the values of attributes. */
  readonly indexEntryBytes: number
  /** The size of each index: `name` and `bytes`. */
  readonly indexSizes: Sql

  readonly textType: string
  readonly smallIntegerType: string
  /** The type of the columns that hold components and dynamic zones. */
  readonly jsonType: string
  /** The type of the `id` column of a content-type; rows may be inserted with an id. */
  readonly rowIdType: string
  /** The type of an `id` column that only the database assigns. */
  readonly generatedIdType: string
  /** The same for a table whose last row is never deleted, so that no id is given twice. Cheaper on SQLite. */
  readonly ascendingIdType: string
  readonly contentTableOptions: string
  readonly edgeTableOptions: string

  /** The highest id that a table has given to a row, even to a deleted one. */
  highestRowId(table: string): Sql
  /** The highest id that a component entry may have. */
  readonly highestEntryId: Sql
  /** Makes the next row of a table get an id above `highest`. */
  advanceRowIds(table: string, highest: number): readonly Sql[]
  /** Makes the next component entry get an id above `highest`. */
  advanceEntryIds(highest: number): Sql
  /** A position after all that edges have in the lists of their targets; null where each list is searched for its last one. */
  readonly nextPosition: Sql | null
  /** Makes the next position be above `highest`. */
  advancePositions(highest: Sql): readonly Sql[]

  /** All columns and indexes: `kind` ('column' or 'index'), `owner` (the table) and `name`. */
  readonly listColumnsAndIndexes: Sql
  /** Returns a row if the database has the table. */
  hasTable(name: string): Sql
  /** The names of the tables and indexes that begin with `octavo_`. */
  readonly ownRelations: Sql
  /** The product and its version as `version`. */
  readonly engineVersion: Sql

  /** Allows the statements of this transaction to take any time. */
  readonly withoutStatementTimeout: readonly Sql[]
  /** Limits the time of the following statements of this transaction; null ends that. None where the store has a limit of its own. */
  limitStatementTime(milliseconds: number | null): readonly Sql[]
  /** Limits how long a migration waits for a table lock, since all reads of the table would wait behind it. */
  readonly limitLockWait: readonly Sql[]
  /** Waits for the writes in progress and blocks new ones until the transaction ends. */
  readonly blockWriters: readonly Sql[]
  /** Blocks reads of a table until the transaction ends. */
  blockReaders(table: Sql): readonly Sql[]
  /** Fails with SchemaChanged unless the database has the schema with this number. */
  checkSchemaVersion(number: number): Statement
  readonly search: SearchDialect
  /** Creates the functions and sequences that the engine's own SQL needs. */
  createRoutines(all: (statement: Statement) => Promise<readonly Row[]>): Promise<void>
}
