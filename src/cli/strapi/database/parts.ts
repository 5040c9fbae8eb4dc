/** The parts of an export, read straight from the database of a Strapi project and from its folder of uploaded files. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ArchiveLine, type Fields } from '../../../documents/transfer/archive-line.ts'
import { FILE } from '../../../model/model.ts'
import { isObject } from '../../../project/values.ts'
import { sql } from '../../../store/sql.ts'
import { STRAPI_TABLE } from '../../../store/strapi-database.ts'
import { UsageError } from '../../error-message.ts'
import type { Part, PartKind, ReadParts } from '../archive/parts.ts'
import { fileNameOf } from '../file-records.ts'
import type { StrapiDatabase } from './connection.ts'
import { createLinkReader } from './links.ts'
import { createRowReader } from './rows.ts'
import { shapeOf, type TableColumns, type TableShape } from './tables.ts'

export interface DatabaseSource {
  readonly database: StrapiDatabase
  /** The name of the database for messages. */
  readonly name: string
  /** The schemas of components by uid: the database does not hold them. */
  readonly components: ReadonlyMap<string, Fields>
  /** The folder of uploaded files. */
  readonly uploads: string
}

/** Where Strapi stores the schemas of content-types. */
const SCHEMAS_KEY = 'strapi_content_types_schema'
const WEBHOOKS = 'strapi_webhooks'

/** Accounts, roles and tokens of the team, which no export has. */
const OF_TEAM = /^(admin|strapi)::/

export async function partsOfDatabase(source: DatabaseSource): Promise<ReadParts> {
  const { database, components, uploads } = source
  const all = await database.columns()
  const settings = await readSettings(source, all)
  const schemas = contentTypesIn(settings, source)
  checkComponents(schemas, source)
  const types = shapesOf(schemas, all)
  const entries = shapesOf(components, all)
  const rows = createRowReader(database, all, entries)
  const links = createLinkReader(database, all)

  async function* ofKind(kind: PartKind): AsyncGenerator<Part> {
    switch (kind) {
      case 'metadata':
        yield { kind, createdAt: null, version: '5.x' }
        return
      case 'schema':
        for (const [uid, schema] of [...schemas, ...components]) yield { kind, uid, schema }
        return
      case 'entity':
        for (const shape of types.values())
          for await (const { id, data } of rows.rowsOf(shape))
            yield {
              kind,
              type: shape.uid,
              id,
              data: () => new ArchiveLine(data, `Row ${id} of ${shape.table}`),
            }
        return
      case 'link':
        for (const shape of [...types.values(), ...entries.values()]) yield* links.linksOf(shape)
        return
      case 'setting':
        for (const [key, value] of settings) yield { kind, key, value }
        return
      case 'webhook':
        if (!all.has(WEBHOOKS)) return
        for (const row of await database.read(sql`select * from ${sql.table(WEBHOOKS)} order by id`))
          yield {
            kind,
            value: { ...row, headers: parsed(row.headers), events: parsed(row.events), id: Number(row.id) },
          }
        return
      case 'file':
        yield* files()
        return
      case 'file size':
        // The records of files hold only rounded sizes.
        return
    }
  }

  /** The uploaded files and their formats, as far as they are in the folder. */
  async function* files(): AsyncGenerator<Part> {
    const shape = types.get(FILE)
    if (!shape) return
    for await (const { data } of rows.rowsOf(shape)) {
      const formats = isObject(data.formats) ? Object.values(data.formats).filter(isObject) : []
      for (const record of [data, ...formats]) {
        const name = fileNameOf(record)
        // A name comes from the database, and must not lead out of the folder.
        if (name === null || !/^[^/\\]+$/.test(name) || name.startsWith('.')) continue
        const path = join(uploads, name)
        const found = await stat(path).catch(() => null)
        if (found?.isFile()) yield { kind: 'file', name, size: found.size, bytes: createReadStream(path) }
      }
    }
  }

  return async function* (kinds) {
    for (const kind of kinds) yield* ofKind(kind)
  }
}

async function readSettings(
  { database, name }: DatabaseSource,
  all: TableColumns,
): Promise<ReadonlyMap<string, unknown>> {
  if (!all.has(STRAPI_TABLE)) throw new UsageError(`${name} is not the database of a Strapi project`)
  const rows = await database.read(
    sql`select ${sql.id('key')}, ${sql.id('value')}, ${sql.id('type')} from ${sql.table(STRAPI_TABLE)} order by id`,
  )
  return new Map(rows.map((row) => [String(row.key), row.type === 'string' ? row.value : parsed(row.value)]))
}

function contentTypesIn(
  settings: ReadonlyMap<string, unknown>,
  { name }: DatabaseSource,
): ReadonlyMap<string, Fields> {
  const stored = settings.get(SCHEMAS_KEY)
  const schemas = Object.entries(isObject(stored) ? stored : {}).flatMap(([uid, schema]) =>
    isObject(schema) && !OF_TEAM.test(uid) ? [[uid, { ...schema, uid }] as const] : [],
  )
  if (schemas.length === 0)
    throw new UsageError(`${name} has no content-types: start the Strapi project once, and try again`)
  return new Map(schemas)
}

function shapesOf(schemas: ReadonlyMap<string, Fields>, all: TableColumns): ReadonlyMap<string, TableShape> {
  const shapes = new Map<string, TableShape>()
  for (const [uid, schema] of schemas) {
    const shape = shapeOf(uid, schema, all)
    if (!shape) continue
    if (uid.startsWith('api::') && !shape.columns.has('documentId'))
      throw new UsageError(
        `The table ${shape.table} has no column document_id: this is the database of an older Strapi.\n  Upgrade the project to Strapi 5 first.`,
      )
    shapes.set(uid, shape)
  }
  return shapes
}

/** Content-types whose components are unknown would lose them without a word. */
function checkComponents(schemas: ReadonlyMap<string, Fields>, { components }: DatabaseSource): void {
  const used = [...schemas.values()].flatMap(({ attributes }) =>
    Object.values(isObject(attributes) ? attributes : {}).flatMap((attribute) => {
      if (!isObject(attribute)) return []
      if (attribute.type === 'component') return [String(attribute.component)]
      return attribute.type === 'dynamiczone' && Array.isArray(attribute.components)
        ? attribute.components.map(String)
        : []
    }),
  )
  const missing = [...new Set(used)].filter((uid) => !components.has(uid))
  if (missing.length > 0)
    throw new UsageError(
      `The schemas of these components are not in the project folder, and a database does not hold them: ${missing.join(', ')}\n  Pass the folder of the Strapi project with --project, or run "strapi export" and import the file.`,
    )
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
