/** The SQL that is particular to SQLite. */
import type { Dialect } from '../dialect.ts'
import { sqliteSearch } from '../search/sqlite-search.ts'
import { type Sql, sql } from '../sql.ts'
import { dropBuild } from './indexes/drop-build.ts'

/** The members of the objects in a JSON array, as columns. */
const itemsOf = (names: readonly string[], list: Sql) =>
  sql`(select ${sql.join(
    names.map((name) => sql`json_extract(value, ${sql.lit(`$."${name}"`)}) as ${sql.id(name)}`),
  )} from json_each(${list})) as item`

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  telemetryName: 'sqlite',

  hasSingleWriter: true,
  knowsRowIdsBeforeInsert: true,
  limitsIndexedLength: false,
  // One page then changes for a draft and the version that is published from it.
  separatesDraftsInInverseIndex: false,
  // Up to here it is faster than taking a list apart.
  maxListParameters: 8,

  numbersPlaceholders: false,
  placeholder: () => '?',
  // A failure takes back the whole job anyway. With FAIL, SQLite does not copy every page the statement changes.
  insertInto: (table) => sql`insert or fail into ${table}`,
  overridingIds: sql``,
  joinInOrder: sql`cross join`,
  skipLocked: sql``,
  inTexts: (column, list) => sql`${column} in (select value from json_each(${list}))`,
  inIntegers: (column, list) => sql`${column} in (select value from json_each(${list}))`,
  inSubquery: (column, subquery) => sql`${column} in (${subquery})`,
  jsonItems: (list) => sql`json_each(${list}) AS item`,
  rowsFromJson: (_table, columns, list) => itemsOf(columns, list),
  asOwnText: (column) => column,
  recordsFromJson: (columns, list) => itemsOf(Object.keys(columns), list),
  jsonText: (text) => text,
  storedTable: (name) => sql`main.${sql.table(name)}`,
  // The column converts the text itself.
  toColumnType: (text) => text,
  contains: (value, text) => sql`instr(${value}, ${sql.lit(text)}) > 0`,
  nullsFirst: '',
  stopIndexCreation: dropBuild,
  indexEntryBytes: 15,
  indexSizes: sql`SELECT name, sum(pgsize) AS bytes FROM dbstat
    WHERE name IN (SELECT name FROM sqlite_master WHERE type = 'index') AND aggregate = TRUE GROUP BY name`,

  textType: 'TEXT',
  smallIntegerType: 'INTEGER',
  jsonType: 'TEXT',
  rowIdType: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  generatedIdType: 'integer primary key autoincrement',
  ascendingIdType: 'integer primary key',
  contentTableOptions: 'STRICT',
  edgeTableOptions: 'WITHOUT ROWID',

  highestRowId: (table) => sql`SELECT seq AS highest FROM sqlite_sequence WHERE name = ${table}`,
  highestEntryId: sql`SELECT value AS highest FROM octavo_counters WHERE name = 'entry'`,
  advanceRowIds: (table, highest) => [
    sql`UPDATE sqlite_sequence SET seq = max(seq, ${highest}) WHERE name = ${table}`,
    sql`INSERT INTO sqlite_sequence (name, seq) SELECT ${table}, ${highest}
      WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ${table})`,
  ],
  advanceEntryIds: (highest) =>
    sql`UPDATE octavo_counters SET value = max(value, ${highest}) WHERE name = 'entry'`,
  nextPosition: null,
  advancePositions: () => [],

  listColumnsAndIndexes: sql`SELECT 'column' AS kind, item.name AS owner, info.name AS name
      FROM sqlite_master AS item JOIN pragma_table_info(item.name) AS info WHERE item.type = 'table'
    UNION ALL SELECT 'index', tbl_name, name FROM sqlite_master WHERE type = 'index'`,
  hasTable: (name) => sql`SELECT 1 AS one FROM sqlite_master WHERE name = ${name}`,
  ownRelations: sql`SELECT name FROM sqlite_master WHERE name LIKE 'octavo_%'`,
  engineVersion: sql`SELECT 'SQLite ' || sqlite_version() AS version`,

  // There is no such timeout, and a writing transaction has the database to itself.
  withoutStatementTimeout: [],
  // The connection of writes has a limit of its own for reads.
  limitStatementTime: () => [],
  limitLockWait: [],
  blockWriters: [],
  blockReaders: () => [],
  checkSchemaVersion: (number) => ({
    sql: `SELECT octavo_moved() FROM octavo_meta WHERE key = 'number' AND value <> ?`,
    parameters: [String(number)],
  }),
  search: sqliteSearch,
  // Functions belong to the connection: see `connection.ts`.
  createRoutines: async () => {},
}
