/** `octavo import --from-database`: the same content as through an export, from either database, which is not changed. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { createConnection } from 'mysql2/promise'
import { UsageError } from '../../src/cli/error-message.ts'
import { openPackedFiles } from '../../src/cli/strapi/archive/packed-files.ts'
import { partsOf } from '../../src/cli/strapi/archive/parts.ts'
import { openStrapiDatabase } from '../../src/cli/strapi/database/open-database.ts'
import { sql } from '../../src/store/sql.ts'
import { PROJECT } from '../reference/recording.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { openProxy } from '../support/proxy.ts'
import { type MariaDb, startMariaDb, whyNoMariaDb } from './mariadb.ts'
import { buildStrapiDatabase } from './strapi-database.ts'

const EXPORT = path.join(import.meta.dirname, '../reference/strapi-export/export.tar.gz')

const scratch = mkdtempSync(path.join(tmpdir(), 'octavo-strapi-database-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
let made = 0

/** The folder of the Strapi project: schema files and uploaded files. */
function strapiFolder(): string {
  const folder = path.join(scratch, `project${++made}`)
  cpSync(PROJECT, folder, { recursive: true })
  const unpacked = path.join(scratch, `unpacked${made}`)
  mkdirSync(unpacked)
  execFileSync('tar', ['xzf', EXPORT, '-C', unpacked])
  cpSync(path.join(unpacked, 'assets/uploads'), path.join(folder, 'public/uploads'), { recursive: true })
  return folder
}

const exportedParts = async () => partsOf(await openPackedFiles(EXPORT, 'strapi tar', async () => ''))

/**
 * All content: the rows of every content-type, the order of all relations on both sides, and permissions. The members of JSON
 * values are sorted, because PostgreSQL does not keep their order.
 */
function contentOf(folder: string): Readonly<Record<string, readonly unknown[]>> {
  const database = new DatabaseSync(path.join(folder, '.octavo/data.db'), { readOnly: true })
  try {
    const all = database.prepare("select name from sqlite_schema where type = 'table' order by name").all()
    const tables = all
      .map(({ name }) => String(name))
      .filter((name) => !/^(sqlite|octavo)_/.test(name) || CONTENT_TABLES.includes(name))
    assert.ok(CONTENT_TABLES.every((name) => tables.includes(name)))
    const orders = [
      'select relation, source, entry, target, target_type from octavo_edges order by relation, source, entry, position',
      'select relation, target, source, entry from octavo_edges order by relation, target, inverse_position, source',
    ]
    return {
      ...Object.fromEntries(
        tables.map((name) => {
          const rows = database.prepare(`select * from "${name}"`).all()
          return [name, rows.map((row) => JSON.stringify(sorted(row))).sort()]
        }),
      ),
      ...Object.fromEntries(orders.map((query) => [query, database.prepare(query).all()])),
    }
  } finally {
    database.close()
  }
}

/** Reads from a database whose connection is then lost. */
async function readsAfterLoss(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const proxy = await openProxy({ host: hostname, port: Number(port) })
  const through = new URL(url)
  through.port = String(proxy.port)
  const database = await openStrapiDatabase(through.href)
  try {
    const count = sql`select count(*) as count from restaurants`
    assert.ok(Number((await database.read(count))[0]?.count) > 0)
    await proxy.cut()
    await assert.rejects(database.read(count), (error) => {
      assert.ok(error instanceof UsageError, String(error))
      const message = `127.0.0.1:${proxy.port}${through.pathname} cannot be read: `
      assert.ok(error.message.includes(message), error.message)
      return true
    })
  } finally {
    await database.close()
  }
}

const CONTENT_TABLES = ['octavo_files', 'octavo_permissions', 'octavo_roles', 'octavo_users']

function sorted(value: unknown): unknown {
  if (typeof value === 'string' && /^[[{,]/.test(value)) return sortedJson(value)
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}

/** The served JSON of a row starts with a comma. */
function sortedJson(text: string): unknown {
  try {
    return sorted(JSON.parse(text.startsWith(',') ? `{${text.slice(1)}}` : text))
  } catch {
    return text
  }
}

onEachEngine((engine) => {
  let url: string
  before(async () => {
    const fresh = await engine.freshUrl()
    url = fresh.startsWith('sqlite:') ? `sqlite:${path.join(scratch, 'strapi.db')}` : fresh
    await buildStrapiDatabase(await exportedParts(), url)
  })

  test('gives the same content as the export, files included, and leaves the database as it was', async () => {
    const [fromExport, fromDatabase] = [strapiFolder(), strapiFolder()]
    const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null
    const digest = () => (file ? createHash('sha256').update(readFileSync(file)).digest('hex') : '')
    const before = digest()
    const through = await octavo(['import', EXPORT, '--project', fromExport])
    assert.equal(through.code, 0, through.err)
    const report = path.join(fromDatabase, 'report.json')
    const args = ['--from-database', url, '--project', fromDatabase, '--report', report]
    const straight = await octavo(['import', ...args])
    assert.equal(straight.code, 0, straight.err)
    assert.deepEqual(contentOf(fromDatabase), contentOf(fromExport))
    const { types, relations, files } = JSON.parse(readFileSync(report, 'utf8'))
    assert.deepEqual(types['api::restaurant.restaurant'], { read: 31, imported: 31 })
    assert.deepEqual(relations, { read: 212, imported: 198, duplicates: 14 })
    assert.deepEqual(files, { read: 8, imported: 8 })
    assert.equal(digest(), before)
  })

  test('a dry run says what would come and changes nothing', async () => {
    const folder = strapiFolder()
    const ended = await octavo(['import', '--from-database', url, '--project', folder, '--dry-run'])
    assert.equal(ended.code, 0, ended.err)
    assert.match(ended.out, /api::restaurant\.restaurant +31 of 31/)
    assert.ok(!existsSync(path.join(folder, '.octavo')))
    if (!url.startsWith('sqlite:')) assert.ok(!ended.out.includes(new URL(url).password || 'no password'))
  })

  if (engine.name === 'postgres')
    test('a lost connection is reported with the database', () => readsAfterLoss(url))

  test('a folder without the schemas of components is refused, because the database does not hold them', async () => {
    const folder = path.join(scratch, `empty${++made}`)
    const ended = await octavo(['import', '--from-database', url, '--project', folder])
    assert.equal(ended.code, 1)
    assert.match(ended.err, /schemas of these components are not in the project folder.*menu\.section/s)
    assert.ok(!existsSync(folder))
  })
})

describe('of a database on MariaDB', { skip: whyNoMariaDb() }, () => {
  let server: MariaDb
  before(async () => {
    server = await startMariaDb()
    await buildStrapiDatabase(await exportedParts(), server.url)
  })
  after(() => server?.stop())

  const onServer = async (...statements: readonly string[]) => {
    const connection = await createConnection(server.url)
    for (const statement of statements) await connection.query(statement)
    await connection.end()
  }

  test('gives the same content as the export', async () => {
    const [fromExport, fromDatabase] = [strapiFolder(), strapiFolder()]
    assert.equal((await octavo(['import', EXPORT, '--project', fromExport])).code, 0)
    const ended = await octavo(['import', '--from-database', server.url, '--project', fromDatabase])
    assert.equal(ended.code, 0, ended.err)
    assert.doesNotMatch(ended.out + ended.err, /p@ss|p%40ss/)
    assert.deepEqual(contentOf(fromDatabase), contentOf(fromExport))
  })

  test('reads one snapshot without locks, dates that are zero as null, and all digits of large numbers', async () => {
    await onServer(
      'alter table restaurants add column opened date, add column visits bigint, add column fee decimal(20, 8)',
      "update restaurants set opened = '0000-00-00', visits = 9007199254740993, fee = '1234567890.12345678'",
    )
    const database = await openStrapiDatabase(server.url)
    try {
      await onServer(
        "update restaurants set name = 'changed'",
        'insert into restaurants (id) values (999999)',
      )
      const rows = await database.read(sql`select * from restaurants order by id`)
      assert.equal(rows.length, 31)
      for (const { name, opened, visits, fee } of rows) {
        assert.notEqual(name, 'changed')
        assert.deepEqual([opened, visits, fee], [null, '9007199254740993', '1234567890.12345678'])
      }
      await assert.rejects(database.read(sql`delete from restaurants`), /READ ONLY/)
    } finally {
      await database.close()
    }
  })

  test('a lost connection is reported with the database', () => readsAfterLoss(server.url))

  test('names what is wrong with the address, without the password', async () => {
    const { port } = new URL(server.url)
    for (const [url, reason] of [
      [server.url.replace(/strapi$/, 'none'), /127\.0\.0\.1:\d+\/none cannot be read: (Unknown|Access)/],
      [`mysql://strapi:secret@127.0.0.1:${port}/strapi`, /Access denied/],
      ['mariadb://strapi:secret@127.0.0.1:1/strapi', /cannot be read: .*ECONNREFUSED/],
    ] as const) {
      await assert.rejects(openStrapiDatabase(url), (error) => {
        assert.ok(error instanceof UsageError)
        assert.match(error.message, reason)
        assert.doesNotMatch(error.message, /secret/)
        return true
      })
    }
  })
})

describe('what cannot be read is refused with the reason', () => {
  const refused = async (url: string) => {
    const ended = await octavo(['import', '--from-database', url, '--project', strapiFolder()])
    assert.equal(ended.code, 1)
    return ended.err
  }

  test('databases of other kinds, missing files, and other databases', async () => {
    assert.match(await refused('mongodb://root@127.0.0.1/strapi'), /sqlite:PATH, postgres.* or mysql/)
    assert.match(await refused(`sqlite:${scratch}/none.db`), /There is no database/)
    const other = path.join(scratch, 'other.db')
    const database = new DatabaseSync(other)
    database.exec('create table notes (id integer primary key)')
    database.close()
    assert.match(await refused(`sqlite:${other}`), /is not the database of a Strapi project/)
    const text = path.join(scratch, 'text.db')
    writeFileSync(text, 'no database at all, but long enough to look like a file with something in it')
    assert.match(await refused(`sqlite:${text}`), /cannot be read/)
  })

  test('a file together with a database, and neither', async () => {
    const both = await octavo(['import', EXPORT, '--from-database', 'sqlite:x.db'])
    assert.match(both.err, /a file or --from-database, not both/)
    assert.match((await octavo(['import'])).err, /Pass the file to import/)
  })
})
