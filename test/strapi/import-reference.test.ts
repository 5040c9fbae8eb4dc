/** `octavo import` of a real export of Strapi: every recorded read has the same response as from Strapi itself. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createClient } from '../reference/client.ts'
import { Memory } from '../reference/memory.ts'
import { loadRecording, PROJECT } from '../reference/recording.ts'
import { replayCase } from '../reference/replay.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve } from '../support/server.ts'

const EXPORT = path.join(import.meta.dirname, '../reference/strapi-export')
const KEY = 'a-passphrase-for-tests'
const recording = loadRecording()

const scratch = mkdtempSync(path.join(tmpdir(), 'octavo-strapi-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
let folders = 0

/** A project without content-types: only the tokens that the recording uses. */
function emptyProject(): string {
  const folder = path.join(scratch, String(++folders))
  mkdirSync(path.join(folder, 'config'), { recursive: true })
  cpSync(new URL('config/tokens.json', PROJECT), path.join(folder, 'config/tokens.json'))
  return folder
}

/** The documents of the export by the keys of the recording. */
function rememberedDocuments(): Memory {
  const state: { entries: Record<string, { id: number; documentId: string }> } = JSON.parse(
    readFileSync(path.join(EXPORT, 'state.json'), 'utf8'),
  )
  const memory = new Memory()
  for (const [key, entry] of Object.entries(state.entries)) memory.remember(key, entry)
  return memory
}

async function readDifferences(folder: string, url: string): Promise<string[]> {
  const running = await serve(pathToFileURL(`${folder}/`), url)
  try {
    const client = createClient(running.base, recording)
    const found: string[] = []
    const reads = recording.cases.filter(({ writes }) => !writes)
    assert.ok(reads.length > 500)
    for (const one of reads) {
      const differences = await replayCase(one, client, rememberedDocuments(), recording)
      found.push(...differences.map((line) => `${one.name}: ${line}`))
    }
    return found
  } finally {
    await running.close()
  }
}

onEachEngine((engine) => {
  test('an empty project gets the schema, and then serves everything as Strapi did', async () => {
    const [folder, url] = [emptyProject(), await engine.freshUrl()]
    const archive = path.join(EXPORT, 'export.tar.gz')
    const report = path.join(folder, 'reports/of-import.json')
    const args = ['import', archive, '--project', folder, '--database', url, '--report', report]
    const { code, err } = await octavo(args)
    assert.equal(code, 0, err)
    assert.deepEqual(JSON.parse(readFileSync(path.join(folder, 'config/locales.json'), 'utf8')), {
      default: 'en',
      locales: ['en', 'fr', 'it'],
    })
    const { types, relations, files } = JSON.parse(readFileSync(report, 'utf8'))
    assert.deepEqual(types['api::restaurant.restaurant'], { read: 31, imported: 31 })
    assert.deepEqual(relations, { read: 212, imported: 198, duplicates: 14 })
    assert.deepEqual(files, { read: 8, imported: 8 })
    assert.deepEqual(await readDifferences(folder, url), [])
  })
})

describe('other forms of the same export', () => {
  const imported = async (archive: string, ...options: string[]) => {
    const folder = emptyProject()
    const ended = await octavo(['import', archive, '--project', folder, ...options])
    return { folder, ended, rows: ended.code === 0 ? contentOf(folder) : null }
  }

  /** Everything that can be compared: the served JSON of all restaurants, and all edges. */
  function contentOf(folder: string) {
    const database = new DatabaseSync(path.join(folder, '.octavo/data.db'), { readOnly: true })
    try {
      return {
        restaurants: database.prepare('select * from restaurants order by id').all(),
        edges: database.prepare('select * from octavo_edges order by relation, source, entry, target').all(),
      }
    } finally {
      database.close()
    }
  }

  test('the encrypted file, the plain tar file and the unpacked folder give the same content', async () => {
    const packed = path.join(EXPORT, 'export.tar.gz')
    const unpacked = path.join(scratch, 'unpacked')
    mkdirSync(unpacked)
    execFileSync('tar', ['xzf', packed, '-C', unpacked])
    const tar = path.join(scratch, 'export.tar')
    execFileSync('tar', ['cf', tar, '-C', unpacked, '.'])
    const { rows } = await imported(packed)
    assert.ok(rows && rows.restaurants.length === 31 && rows.edges.length === 198)
    assert.deepEqual((await imported(`${packed}.enc`, '--key', KEY)).rows, rows)
    assert.deepEqual((await imported(tar)).rows, rows)
    assert.deepEqual((await imported(unpacked)).rows, rows)
  })

  test('a wrong key is refused, and so is a missing one', async () => {
    const encrypted = path.join(EXPORT, 'export.tar.gz.enc')
    const wrong = await imported(encrypted, '--key', 'another key')
    assert.equal(wrong.ended.code, 1)
    assert.match(wrong.ended.err, /Cannot decrypt .*the key is wrong/)
    assert.ok(!wrong.ended.err.includes('another key'))
    const missing = await imported(encrypted)
    assert.match(missing.ended.err, /is encrypted: pass its key with --key/)
    assert.ok(!existsSync(path.join(missing.folder, '.octavo')))
  })

  test('a dry run says what would come and changes nothing', async () => {
    const folder = emptyProject()
    const ended = await octavo([
      ...['import', path.join(EXPORT, 'export.tar.gz'), '--project', folder, '--dry-run'],
    ])
    assert.equal(ended.code, 0, ended.err)
    assert.match(ended.out, /api::restaurant\.restaurant +31 of 31/)
    assert.match(ended.out, /Would add 25 files/)
    assert.match(ended.out, /Nothing was changed/)
    assert.ok(!existsSync(path.join(folder, 'src')) && !existsSync(path.join(folder, '.octavo')))
    assert.doesNotMatch(ended.out, /has content/)
  })

  test('a dry run says that the database has content already', async () => {
    const archive = path.join(EXPORT, 'export.tar.gz')
    const { folder } = await imported(archive)
    const report = path.join(folder, 'report.json')
    const ended = await octavo(['import', archive, '--project', folder, '--dry-run', '--report', report])
    assert.equal(ended.code, 0, ended.err)
    assert.match(
      ended.out,
      /has content: .*api::restaurant\.restaurant.*with --replace, which deletes that content/,
    )
    const { notes } = JSON.parse(readFileSync(report, 'utf8'))
    assert.ok(
      notes.some((note: string) => note.includes('has content')),
      notes,
    )
  })
})
