/** `octavo export` and `octavo import`: after a move to the other engine, every response is the same. */
import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createServer } from '../../src/http/app.ts'
import { createClient } from '../reference/client.ts'
import { loadRecording, PROJECT } from '../reference/recording.ts'
import { seedServer } from '../reference/replay.ts'
import { octavo } from '../support/command.ts'
import { bothEngines, onEachEngine } from '../support/engines.ts'
import { allFiles, allResponses } from './responses.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'octavo-transfer-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const recording = loadRecording()
const token = recording.tokens.full ?? ''
/** The same on both sides, so that users stay signed in. */
const secret = 'a-secret-that-both-sides-of-a-move-share'
let folders = 0

function copyOfProject(): string {
  const folder = path.join(scratch, String(++folders))
  cpSync(PROJECT, folder, { recursive: true })
  return folder
}

async function serve(folder: string, url: string) {
  const server = await createServer({
    project: folder,
    config: { server: { port: 0 }, database: { url }, auth: { secret } },
    logLevel: 'silent',
  })
  const base = await server.listen()
  return { server, base, close: () => server.close() }
}

interface Source {
  readonly archive: string
  readonly responses: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<string, string>
  readonly folder: string
  readonly url: string
}

const [sqlite, postgres] = bothEngines()

for (const [from, to] of [
  [sqlite, postgres],
  [postgres, sqlite],
] as const)
  describe(`from ${from.name} to ${to.name}`, () => {
    let source: Source

    before(async () => {
      const [folder, url] = [copyOfProject(), await from.freshUrl()]
      const running = await serve(folder, url)
      try {
        await seedServer(createClient(running.base, recording), recording)
        const responses = await allResponses(running, token)
        const archive = path.join(scratch, `${from.name}.octavo.jsonl.gz`)
        const ended = await octavo(['export', archive, '--project', folder, '--database', url])
        assert.equal(ended.code, 0, ended.err)
        assert.match(ended.out, /Exported \d+ rows/)
        source = { archive, responses, files: await allFiles(running, token), folder, url }
      } finally {
        await running.close()
      }
    })

    const imported = async (archive: string, ...options: string[]) => {
      const [folder, url] = [copyOfProject(), await to.freshUrl()]
      const args = ['import', archive, '--project', folder, '--database', url, ...options]
      return { folder, url, args, ended: await octavo(args) }
    }

    test('every document and every file is the same', async () => {
      const { folder, url, ended } = await imported(source.archive)
      assert.equal(ended.code, 0, ended.err)
      const running = await serve(folder, url)
      try {
        assert.ok(source.responses.size > 50 && source.files.size > 3)
        assert.deepEqual(await allResponses(running, token), source.responses)
        assert.deepEqual(await allFiles(running, token), source.files)
      } finally {
        await running.close()
      }
    })

    test('users sign in with their passwords, and new documents get new ids', async () => {
      const { folder, url, ended } = await imported(source.archive)
      assert.equal(ended.code, 0, ended.err)
      const running = await serve(folder, url)
      try {
        const user = recording.seed.find(({ path: at }) => at === '/api/auth/local/register')?.body
        assert.ok(user && typeof user === 'object' && !Array.isArray(user))
        const signedIn = await fetch(`${running.base}/api/auth/local`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ identifier: user.username ?? '', password: user.password ?? '' }),
        })
        assert.equal(signedIn.status, 200)
        const made = await fetch(`${running.base}/api/tags`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ data: { label: 'created after the move' } }),
        })
        assert.equal(made.status, 201, await made.text())
        const listed = await fetch(`${running.base}/api/tags?sort=id:desc`, {
          headers: { authorization: `Bearer ${token}` },
        })
        const { data }: { data: { id: number; label: string }[] } = JSON.parse(await listed.text())
        assert.equal(data[0]?.label, 'created after the move')
        assert.ok(data.length > 1 && data[0].id > (data[1]?.id ?? 0))
      } finally {
        await running.close()
      }
    })

    test('an export while others write is whole', async () => {
      const [folder, url] = [copyOfProject(), await from.freshUrl()]
      const archive = path.join(scratch, `${from.name}-while-writing.gz`)
      const running = await serve(folder, url)
      let written = 0
      let isExported = false
      const write = async () => {
        while (!isExported) {
          const response = await fetch(`${running.base}/api/tags`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
            body: JSON.stringify({ data: { label: `written ${written++}` } }),
          })
          assert.equal(response.status, 201, await response.text())
        }
      }
      try {
        const writers = [write(), write(), write()]
        const ended = await octavo(['export', archive, '--project', folder, '--database', url])
        isExported = true
        await Promise.all(writers)
        assert.equal(ended.code, 0, ended.err)
      } finally {
        await running.close()
      }
      assert.ok(written > 10)
      const { ended } = await imported(archive)
      assert.equal(ended.code, 0, ended.err)
    })

    test('a database with content is not changed without --replace', async () => {
      const first = await imported(source.archive)
      assert.equal(first.ended.code, 0, first.ended.err)
      const refused = await octavo(first.args)
      assert.equal(refused.code, 1)
      assert.match(refused.err, /has content.*--replace/s)
      const dryRun = await octavo([...first.args, '--dry-run'])
      assert.equal(dryRun.code, 0, dryRun.err)
      assert.match(
        dryRun.out,
        /has content: .*restaurant.*only be imported into with --replace.*\nNothing was changed/,
      )
      const replacing = await octavo([...first.args, '--replace', '--dry-run'])
      assert.match(replacing.out, /has content: .*It would be deleted\.\nNothing was changed/)
      const unasked = await octavo([...first.args, '--replace'])
      assert.equal(unasked.code, 1)
      assert.match(unasked.err, /--yes/)
      const uploads = path.join(first.folder, 'public/uploads')
      const stored = readdirSync(uploads).sort()
      const busy = await serve(first.folder, first.url)
      try {
        const body = new FormData()
        body.append('files', new Blob(['only here'], { type: 'text/plain' }), 'only-here.txt')
        const headers = { authorization: `Bearer ${token}` }
        const uploaded = await fetch(`${busy.base}/api/upload`, { method: 'POST', headers, body })
        assert.equal(uploaded.status, 201, await uploaded.text())
      } finally {
        await busy.close()
      }
      assert.equal(readdirSync(uploads).length, stored.length + 1)
      const replaced = await octavo([...first.args, '--replace', '--yes'])
      assert.equal(replaced.code, 0, replaced.err)
      assert.deepEqual(readdirSync(uploads).sort(), stored, 'removed files are deleted, all others are kept')
      const running = await serve(first.folder, first.url)
      try {
        assert.deepEqual(await allResponses(running, token), source.responses)
        assert.deepEqual(await allFiles(running, token), source.files)
      } finally {
        await running.close()
      }
    })

    test('content-types and attributes that the project lacks are listed, and skipped on request', async () => {
      const folder = copyOfProject()
      const schema = path.join(folder, 'src/api/tag/content-types/tag/schema.json')
      const { attributes, ...tag } = JSON.parse(readFileSync(schema, 'utf8'))
      const [removed = ''] = Object.keys(attributes).filter((name) => attributes[name].type === 'string')
      const { [removed]: _, ...left } = attributes
      writeFileSync(schema, JSON.stringify({ ...tag, attributes: left }))
      const url = await to.freshUrl()
      const args = ['import', source.archive, '--project', folder, '--database', url]
      const refused = await octavo(args)
      assert.equal(refused.code, 1)
      assert.match(refused.err, new RegExp(`attribute ${removed} of api::tag.tag`))
      assert.match(refused.err, /--skip-unknown/)
      const skipped = await octavo([...args, '--skip-unknown'])
      assert.equal(skipped.code, 0, skipped.err)
      assert.match(skipped.out, /^Imported \d+ rows and \d+ relations into /)
    })

    const changed = (name: string, change: (lines: string[]) => string[]) => {
      const file = path.join(scratch, `${from.name}-${name}.gz`)
      const lines = gunzipSync(readFileSync(source.archive)).toString().trimEnd().split('\n')
      writeFileSync(file, gzipSync(`${change(lines).join('\n')}\n`))
      return file
    }

    const firstRow = (change: (row: Record<string, unknown>) => void) => (lines: string[]) => {
      const index = lines.findIndex((line) => line.includes('"type":"api::tag.tag"'))
      const row: Record<string, unknown> = JSON.parse(lines[index] ?? '')
      change(row)
      return lines.with(index, JSON.stringify(row))
    }

    test('a token that expires after the year 9999, from an older version, is imported', async () => {
      const far = '+010240-01-31T00:00:00.000Z'
      const archive = changed('far', (lines) =>
        lines.map((line) => (line.startsWith('{"kind":"token",') ? withExpiry(line, far) : line)),
      )
      const { folder, url, ended } = await imported(archive)
      assert.equal(ended.code, 0, ended.err)
      const { out } = await octavo(['token', 'list', '--project', folder, '--database', url])
      assert.match(out, /\(expires \+010240-01-31T00:00:00\.000Z\)/)
    })

    const withExpiry = (line: string, expiresAt: string) => JSON.stringify({ ...JSON.parse(line), expiresAt })

    const REFUSED: readonly [string, (lines: string[]) => string[], RegExp][] = [
      ['incomplete', (lines) => lines.slice(0, -1), /incomplete/],
      ['short', (lines) => lines.toSpliced(5, 1), /wrong number of lines|as its header says/],
      ['no-json', (lines) => lines.with(3, '{"kind":"row",'), /Line 4 of the archive is not JSON/],
      ['unknown-kind', (lines) => lines.with(3, '{"kind":"sql"}'), /unknown kind sql/],
      ['instant', firstRow((row) => Object.assign(row, { createdAt: '","admin":true,"x":"' })), /createdAt/],
      ['document-id', firstRow((row) => Object.assign(row, { documentId: '"},{"' })), /documentId/],
      ['id', firstRow((row) => Object.assign(row, { id: '1; drop table' })), /missing or invalid id/],
      [
        'future',
        (lines) => lines.with(0, (lines[0] ?? '').replace('"format":1', '"format":2')),
        /newer version of Octavo/,
      ],
      [
        'orphan-edge',
        (lines) => {
          const index = lines.findIndex((line) => line.startsWith('{"kind":"edge"'))
          return lines.with(index, (lines[index] ?? '').replace(/"source":\d+/, '"source":987654321'))
        },
        /no such row/,
      ],
      [
        'path',
        (lines) => lines.map((line) => line.replace(/"kind":"bytes","file":"/, '$&../../')),
        /invalid storage key/,
      ],
    ]
    test('an archive with an invalid line is refused, and nothing is imported', async () => {
      const [folder, url] = [copyOfProject(), await to.freshUrl()]
      const place = ['--project', folder, '--database', url]
      for (const [name, change, message] of REFUSED) {
        const ended = await octavo(['import', changed(name, change), ...place])
        assert.equal(ended.code, 1, name)
        assert.match(ended.err, message)
        assert.doesNotMatch(ended.err, /\n\s+at /)
      }
      const whole = await octavo(['import', source.archive, ...place])
      assert.equal(whole.code, 0, whole.err)
    })
  })

test('only its owner can read an archive, and other files are refused', async () => {
  const [folder, url] = [copyOfProject(), await sqlite.freshUrl()]
  const archive = path.join(scratch, 'empty.gz')
  const args = ['--project', folder, '--database', url]
  assert.equal((await octavo(['migrate', ...args])).code, 0)
  const ended = await octavo(['export', archive, '--without-media', ...args])
  assert.equal(ended.code, 0, ended.err)
  assert.equal(statSync(archive).mode & 0o777, 0o600)
  const none = await octavo(['import', path.join(folder, 'config/roles.json'), ...args])
  assert.equal(none.code, 1)
  assert.match(none.err, /not an Octavo archive/)
  const missing = await octavo(['import', path.join(scratch, 'nowhere.gz'), ...args])
  assert.equal(missing.code, 1)
  assert.match(missing.err, /File not found/)
})

onEachEngine((engine) => {
  test('an archive that is refused leaves the database unchanged', async () => {
    const [folder, url] = [copyOfProject(), await engine.emptyUrl()]
    const place = ['--project', folder, '--database', url]
    const planned = async () => (await octavo(['migrate', '--plan', ...place])).out
    const [none, whole] = [path.join(scratch, 'nowhere.gz'), path.join(scratch, `${engine.name}.gz`)]
    const emptyPlan = await planned()
    assert.equal((await octavo(['import', none, ...place])).code, 1)
    assert.equal(await planned(), emptyPlan)
    if (engine.name === 'sqlite') assert.ok(!existsSync(url.slice('sqlite:'.length)))

    assert.equal((await octavo(['migrate', ...place])).code, 0)
    assert.equal((await octavo(['token', 'create', 'made', ...place])).code, 0)
    assert.equal((await octavo(['export', whole, ...place])).code, 0)
    const type = path.join(folder, 'src/api/later/content-types/later/schema.json')
    mkdirSync(path.dirname(type), { recursive: true })
    writeFileSync(type, JSON.stringify(LATER))
    const refused = await octavo(['import', whole, ...place])
    assert.match(refused.err, /has content: tokens\.\n.*--replace/)
    assert.match(await planned(), /api::later.later: new content-type/)
    const replaced = await octavo(['import', whole, '--replace', '--yes', ...place])
    assert.equal(replaced.code, 0, replaced.err)
    assert.match(await planned(), /up to date/)
  })
})

const LATER = {
  kind: 'collectionType',
  info: { singularName: 'later', pluralName: 'laters', displayName: 'Later' },
  attributes: { name: { type: 'string' } },
}
