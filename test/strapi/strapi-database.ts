/** Builds the database that Strapi 5 would have for the content of an export: its tables, columns and order of links. */
import { DatabaseSync } from 'node:sqlite'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import type { Part, ReadParts } from '../../src/cli/strapi/archive/parts.ts'
import type { Fields } from '../../src/documents/transfer/archive-line.ts'
import { isObject } from '../../src/project/values.ts'

type Engine = 'sqlite' | 'postgres' | 'mysql'
type Value = string | number | null

interface Table {
  /** Column types by name. */
  readonly columns: Map<string, string>
  readonly rows: Map<string, Value>[]
}

const snake = (name: string) =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [name]).map((word) => word.toLowerCase()).join('_')

const COLUMN_TYPES: Readonly<Record<string, Readonly<Record<Engine, string>>>> = {
  integer: { sqlite: 'integer', postgres: 'integer', mysql: 'int' },
  biginteger: { sqlite: 'bigint', postgres: 'bigint', mysql: 'bigint' },
  decimal: { sqlite: 'float', postgres: 'numeric(10, 2)', mysql: 'decimal(10, 2)' },
  float: { sqlite: 'float', postgres: 'double precision', mysql: 'double' },
  boolean: { sqlite: 'boolean', postgres: 'boolean', mysql: 'tinyint(1)' },
  datetime: { sqlite: 'datetime', postgres: 'timestamp(6)', mysql: 'datetime(6)' },
  date: { sqlite: 'date', postgres: 'date', mysql: 'date' },
  time: { sqlite: 'time', postgres: 'time(3)', mysql: 'time(3)' },
  json: { sqlite: 'json', postgres: 'jsonb', mysql: 'json' },
  blocks: { sqlite: 'json', postgres: 'jsonb', mysql: 'json' },
}

const TEXT: Readonly<Record<Engine, string>> = { sqlite: 'text', postgres: 'text', mysql: 'longtext' }

const NOT_STORED = ['relation', 'media', 'component', 'dynamiczone']

class StrapiTables {
  readonly #tables = new Map<string, Table>()
  readonly #schemas = new Map<string, Fields>()
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  get tables(): ReadonlyMap<string, Table> {
    return this.#tables
  }

  addSchema(uid: string, schema: Fields): void {
    this.#schemas.set(uid, schema)
    const columns: [string, string][] = Object.entries(this.#attributes(uid))
      .filter(([, { type }]) => !NOT_STORED.includes(String(type)))
      .map(([name, { type }]) => [snake(name), this.#columnType(type)])
    const isType = schema.modelType !== 'component'
    this.#table(String(schema.collectionName), [
      ...columns,
      ...(isType ? [['document_id', 'varchar(255)'] as const, ['locale', 'varchar(255)'] as const] : []),
      ...(isType ? ['created_at', 'updated_at', 'published_at'] : []).map(
        (name) => [name, this.#columnType('datetime')] as const,
      ),
    ])
    this.#table(`${schema.collectionName}_cmps`, [
      ...(['entity_id', 'cmp_id'] as const).map((name) => [name, 'integer'] as const),
      ...(['component_type', 'field'] as const).map((name) => [name, 'varchar(255)'] as const),
      ['order', 'double precision'],
    ])
  }

  addRow(uid: string, id: number, data: Fields): void {
    const schema = this.#schemas.get(uid)
    if (!schema) throw new Error(`No schema of ${uid}`)
    const attributes = this.#attributes(uid)
    const row = new Map<string, Value>([['id', id]])
    for (const [name, value] of Object.entries(data)) {
      const type = attributes[name]?.type
      if (name === 'id' || name === '__component') continue
      if (type === 'component' || type === 'dynamiczone')
        this.#addComponents(uid, id, name, attributes[name], value)
      else
        row.set(
          snake(name),
          this.#stored(/^(created|updated|published)At$/.test(name) ? 'datetime' : type, value),
        )
    }
    this.#table(String(schema.collectionName), []).rows.push(row)
  }

  #addComponents(uid: string, owner: number, field: string, attribute: Fields | undefined, value: unknown) {
    const list = (Array.isArray(value) ? value : [value]).filter(isObject)
    for (const [index, entry] of list.entries()) {
      const component = String(entry.__component ?? attribute?.component)
      const id = Number(entry.id)
      this.addRow(component, id, entry)
      const table = this.#table(`${this.#schemas.get(uid)?.collectionName}_cmps`, [])
      table.rows.push(
        new Map<string, Value>([
          ...([
            ['id', table.rows.length + 1],
            ['entity_id', owner],
            ['cmp_id', id],
            ['component_type', component],
            ['field', field],
            ['order', index + 1],
          ] as const),
        ]),
      )
    }
  }

  addLink({ left, right }: Extract<Part, { kind: 'link' }>): void {
    const [schema, field] = [this.#schemas.get(left.type), left.field ?? '']
    const attribute = this.#attributes(left.type)[field]
    if (!schema || !attribute) throw new Error(`No attribute ${field} of ${left.type}`)
    const owner = this.#singular(left.type)
    if (attribute.relation === 'morphToMany') {
      const name = snake(field)
      const table = this.#table(`${schema.collectionName}_${name}_mph`, [
        ...[`${owner}_id`, `${name}_id`].map((column) => [column, 'integer'] as const),
        ...[`${name}_type`, 'field'].map((column) => [column, 'varchar(255)'] as const),
        ['order', 'double precision'],
      ])
      table.rows.push(
        new Map<string, Value>([
          ['id', table.rows.length + 1],
          [`${owner}_id`, left.ref],
          [`${name}_id`, right.ref],
          [`${name}_type`, right.type],
          ['field', right.field],
          ['order', right.pos],
        ]),
      )
      return
    }
    const target = this.#singular(right.type)
    const inverse = target === owner ? `inv_${target}` : target
    const table = this.#table(`${schema.collectionName}_${snake(field)}_lnk`, [
      [`${owner}_id`, 'integer'],
      [`${inverse}_id`, 'integer'],
    ])
    const row = new Map<string, Value>([
      ['id', table.rows.length + 1],
      [`${owner}_id`, left.ref],
      [`${inverse}_id`, right.ref],
    ])
    const relation = String(attribute.relation)
    const orders = [
      ...(relation.endsWith('ToMany') ? [[`${target}_ord`, left.pos] as const] : []),
      ...(relation.startsWith('manyTo') && attribute.inversedBy !== undefined
        ? [
            [
              target === owner && relation === 'manyToMany' ? `inv_${owner}_ord` : `${owner}_ord`,
              right.pos,
            ] as const,
          ]
        : []),
    ]
    for (const [column, position] of orders) {
      table.columns.set(column, 'double precision')
      row.set(column, position)
    }
    table.rows.push(row)
  }

  addSetting(key: string, value: unknown): void {
    const table = this.#table('strapi_core_store_settings', [
      ...['key', 'type'].map((column) => [column, 'varchar(255)'] as const),
      ['value', TEXT[this.#engine]],
    ])
    const isText = typeof value === 'string'
    table.rows.push(
      new Map<string, Value>([
        ['id', table.rows.length + 1],
        ['key', key],
        ['value', isText ? value : JSON.stringify(value)],
        ['type', isText ? 'string' : 'object'],
      ]),
    )
  }

  #attributes(uid: string): Readonly<Record<string, Fields>> {
    const attributes = this.#schemas.get(uid)?.attributes
    return Object.fromEntries(
      Object.entries(isObject(attributes) ? attributes : {}).flatMap(([name, one]) =>
        isObject(one) ? [[name, one]] : [],
      ),
    )
  }

  #singular = (uid: string) => snake(uid.split('.').at(-1) ?? '')

  #columnType = (type: unknown) => COLUMN_TYPES[String(type)]?.[this.#engine] ?? TEXT[this.#engine]

  #table(name: string, columns: readonly (readonly [string, string])[]): Table {
    const known = this.#tables.get(name)
    if (known) return known
    const made = { columns: new Map(columns), rows: [] }
    this.#tables.set(name, made)
    return made
  }

  #stored(type: unknown, value: unknown): Value {
    if (value === null || value === undefined) return null
    if (type === 'json' || type === 'blocks') return JSON.stringify(value)
    if (type === 'datetime' && this.#engine === 'sqlite') return new Date(String(value)).getTime()
    // In the time zone of the process, as Strapi writes them.
    if (type === 'datetime' && this.#engine === 'mysql') return localTime(new Date(String(value)))
    if (typeof value === 'boolean') return this.#engine === 'postgres' ? String(value) : Number(value)
    return typeof value === 'number' ? value : String(value)
  }
}

const quoted = (name: string) => `"${name}"`

const localTime = (date: Date) =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, -1).replace('T', ' ')

const engineOf = (url: string): Engine =>
  url.startsWith('sqlite:') ? 'sqlite' : url.startsWith('mysql:') ? 'mysql' : 'postgres'

/** Writes the content of an export to an empty database. */
export async function buildStrapiDatabase(parts: ReadParts, url: string): Promise<void> {
  const engine = engineOf(url)
  const built = new StrapiTables(engine)
  for await (const part of parts(['schema', 'entity', 'link', 'setting'])) {
    if (part.kind === 'schema') built.addSchema(part.uid, part.schema)
    if (part.kind === 'entity') built.addRow(part.type, part.id, part.data().fields)
    if (part.kind === 'link') built.addLink(part)
    if (part.kind === 'setting') built.addSetting(part.key, part.value)
  }
  const statements = [...built.tables].flatMap(([name, { columns, rows }]) => {
    const names = ['id', ...columns.keys()]
    const declared = [...columns].map(([column, type]) => `, ${quoted(column)} ${type}`).join('')
    const placeholders = names.map((_, index) => (engine === 'postgres' ? `$${index + 1}` : '?')).join(', ')
    return [
      { text: `create table ${quoted(name)} (id integer primary key${declared})`, values: [] },
      ...rows.map((row) => ({
        text: `insert into ${quoted(name)} (${names.map(quoted).join(', ')}) values (${placeholders})`,
        values: names.map((column) => row.get(column) ?? null),
      })),
    ]
  })
  if (engine === 'sqlite') {
    const database = new DatabaseSync(url.slice('sqlite:'.length))
    database.exec('begin')
    for (const { text, values } of statements) database.prepare(text).run(...values)
    database.exec('commit')
    database.close()
    return
  }
  if (engine === 'mysql') {
    const connection = await createConnection(url)
    await connection.query("set sql_mode = 'ANSI_QUOTES'")
    for (const { text, values } of statements) await connection.query(text, values)
    await connection.end()
    return
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const { text, values } of statements) await client.query(text, values)
  } finally {
    await client.end()
  }
}
