/** How an engine would run a statement and which indexes it uses, from the output of `EXPLAIN`. */
import type { Row, SqlValue } from './statement.ts'

export interface EnginePlan {
  /** The plan as the engine reports it: indented lines from SQLite, a tree from PostgreSQL. */
  readonly steps: unknown
  /** The plan as indented lines, without the values of the statement that PostgreSQL's tree contains. */
  readonly outline: readonly string[]
  /** The names of the indexes that are used; a primary key is named after its table. */
  readonly indexes: readonly string[]
  /** The tables of which every row is read. */
  readonly scans: readonly string[]
}

const unique = (names: Iterable<string>) => [...new Set(names)].sort()

/** The plan from the rows of SQLite's EXPLAIN QUERY PLAN for the statement with this text. */
export function sqlitePlan(sql: string, rows: readonly Row[]): EnginePlan {
  const tables = tablesByAlias(sql)
  const tableOf = (alias = '') => tables.get(alias) ?? alias
  const depths = new Map<SqlValue, number>()
  const details = rows.map(({ id = null, parent = null, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1
    depths.set(id, depth)
    return { depth, text: String(detail) }
  })
  const indexes = details.flatMap(({ text }) => {
    const named = / USING (?:COVERING )?INDEX (\S+)/.exec(text)?.[1]
    if (named) return [named]
    const [, fullText] = /^SCAN (\S+) VIRTUAL TABLE INDEX \d+:M/.exec(text) ?? []
    if (fullText) return [fullText]
    const [, alias] = /^\S+ (\S+) USING (?:INTEGER )?PRIMARY KEY/.exec(text) ?? []
    return alias ? [primaryKeyOf(tableOf(alias))] : []
  })
  const scans = details.flatMap(({ text }) => {
    const [, alias] = /^SCAN (\S+)(?: USING (?:COVERING )?INDEX \S+)?$/.exec(text) ?? []
    return alias && tables.has(alias) ? [tableOf(alias)] : []
  })
  const outline = details.map(({ depth, text }) => '  '.repeat(depth) + text)
  return {
    steps: outline,
    outline,
    indexes: unique(indexes),
    scans: unique(scans),
  }
}

/** The plan from the JSON of PostgreSQL's EXPLAIN (FORMAT JSON). */
export function postgresPlan(json: string): EnginePlan {
  const [explained]: readonly { readonly Plan: PostgresNode }[] = JSON.parse(json)
  const nodes = explained ? [...nodesOf(explained.Plan)] : []
  const tablesOf = (type: string) => (node: PostgresNode) =>
    node['Node Type'] === type ? (node['Relation Name'] ?? []) : []
  return {
    steps: explained?.Plan ?? null,
    outline: explained ? outlineOf(explained.Plan, 0) : [],
    indexes: unique(nodes.flatMap((node) => node['Index Name'] ?? [])),
    scans: unique(nodes.flatMap(tablesOf('Seq Scan'))),
  }
}

interface PostgresNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Alias?: string
  readonly 'Total Cost'?: number
  readonly 'Plan Rows'?: number
  readonly Plans?: readonly PostgresNode[]
}

function outlineOf(node: PostgresNode, depth: number): string[] {
  const index = node['Index Name'] === undefined ? '' : ` using ${node['Index Name']}`
  const table = node['Relation Name'] === undefined ? '' : ` on ${node['Relation Name']} ${node.Alias ?? ''}`
  const estimate = `(cost ${node['Total Cost'] ?? '?'}, rows ${node['Plan Rows'] ?? '?'})`
  return [
    `${'  '.repeat(depth)}${node['Node Type']}${index}${table} ${estimate}`,
    ...(node.Plans ?? []).flatMap((inner) => outlineOf(inner, depth + 1)),
  ]
}

function* nodesOf(node: PostgresNode): Generator<PostgresNode> {
  yield node
  for (const inner of node.Plans ?? []) yield* nodesOf(inner)
}

/** PostgreSQL's name for the index of a primary key; SQLite has none. */
export const primaryKeyOf = (table: string) => `${table}_pkey`

/** Compiled statements give each table its own alias. */
const tablesByAlias = (sql: string) =>
  new Map([...sql.matchAll(/"([^"]+)" as "(\w+)"/g)].map(([, table = '', alias = '']) => [alias, table]))
