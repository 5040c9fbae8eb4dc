/** The command line: its output and exit codes. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { fromCurl } from '../docs/page.ts'
import { COMMAND, launch, octavo, type RunningCommand, trackProcess } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { copyProject, type Files, writeFiles } from '../support/project-folder.ts'
import { waitUntil } from '../support/wait-until.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const scratch = mkdtempSync(path.join(tmpdir(), 'octavo-cli-'))
const running = new Set<RunningCommand>()
after(() => {
  for (const { child } of running) child.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
})

/** Starts a server and waits until it has printed its address. */
async function started(...args: string[]) {
  const server = launch(['start', '--port', '0', ...args])
  running.add(server)
  return { ...server, address: await server.address() }
}

function project(name: string, files: Files) {
  const folder = path.join(scratch, name)
  writeFiles(folder, files)
  return folder
}

const NOTE = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string', required: true } },
}

const notes = (name: string) =>
  project(name, {
    'src/api/note/content-types/note/schema.json': NOTE,
    'config/roles.json': { public: { 'api::note.note': ['find', 'findOne'] } },
  })

test('the help lists every command', async () => {
  const { code, out } = await octavo(['--help'])
  assert.equal(code, 0)
  for (const command of ['start', 'migrate', 'token', 'media'])
    assert.match(out, new RegExp(`^  ${command}`, 'm'))
})

test('the error for a misspelt command or option suggests the closest match', async () => {
  const command = await octavo(['strat'])
  assert.equal(command.code, 1)
  assert.match(command.err, /Did you mean start\?/)
  const option = await octavo(['start', '--prot', '80'])
  assert.equal(option.code, 1)
  assert.match(option.err, /Did you mean --port\?/)
})

test('an invalid port is rejected', async () => {
  const { code, err } = await octavo(['start', '--port', 'http'])
  assert.equal(code, 1)
  assert.match(err, /from 0 to 65535/)
})

test('a folder that does not exist is reported without a stack trace', async () => {
  const { code, err } = await octavo(['start', '--project', path.join(scratch, 'nowhere')])
  assert.equal(code, 1)
  assert.match(err, /the folder does not exist/)
  assert.doesNotMatch(err, /\n\s+at /)
})

test('every command rejects a folder that is not a project and writes nothing to it', async () => {
  const folder = project('other', { 'package.json': {}, 'src/index.js': '' })
  for (const args of [['start', '--port', '0'], ['dev', '--port', '0'], ['migrate'], ['token', 'list']]) {
    const { code, err } = await octavo([...args, '--project', folder])
    assert.equal(code, 1, args.join(' '))
    assert.ok(err.startsWith(`${folder} is not a project`), err)
    assert.match(err, /--project.*npm run octavo -- new/)
    assert.doesNotMatch(err, /\n\s+at /)
  }
  assert.deepEqual(readdirSync(folder).sort(), ['package.json', 'src'])
})

test('a folder with a configuration and no content-types is a project', async () => {
  for (const file of ['octavo.config.json', 'config/roles.json']) {
    const server = await started('--project', project(file.replace(/\W/g, '-'), { [file]: {} }))
    assert.equal((await fetch(`${server.address}/healthz`)).status, 200)
    assert.equal(await server.stop(), 0)
  }
})

test('an empty folder becomes a project', async () => {
  const folder = path.join(scratch, 'empty')
  mkdirSync(folder)
  for (let time = 0; time < 2; time++) {
    const server = await started('--project', folder)
    assert.equal((await fetch(`${server.address}/healthz`)).status, 200)
    assert.equal(await server.stop(), 0)
  }
})

test('all problems in schema files are reported with file and path', async () => {
  const folder = project('problems', {
    'src/api/note/content-types/note/schema.json': {
      ...NOTE,
      attributes: {
        text: { type: 'strng' },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::person.person' },
      },
    },
  })
  const { code, err } = await octavo(['start', '--project', folder])
  assert.equal(code, 1)
  assert.match(err, /note\/schema\.json: attributes\.text/)
  assert.match(err, /note\/schema\.json: attributes\.author/)
  assert.doesNotMatch(err, /\n\s+at /)
})

test('an unreachable database is reported without a stack trace', async () => {
  const folder = notes('unreachable')
  const { code, err } = await octavo([
    ...['start', '--project', folder, '--database', 'postgres://nobody@127.0.0.1:1/none'],
  ])
  assert.equal(code, 1)
  assert.match(err, /127\.0\.0\.1/)
  assert.doesNotMatch(err, /\n\s+at /)
})

test('the error for a port in use names the option to change it', async () => {
  const busy = createServer().listen(0, '127.0.0.1')
  await once(busy, 'listening')
  const address = busy.address()
  const port = address && typeof address === 'object' ? address.port : 0
  const { code, err } = await octavo(['start', '--project', notes('busy'), '--port', String(port)])
  busy.close()
  assert.equal(code, 1)
  assert.match(err, new RegExp(`Port ${port} is already in use on 127\\.0\\.0\\.1.*--port`))
})

test('a path that is not writable and an invalid number of days are reported', async () => {
  const folder = notes('unwritable')
  assert.equal((await octavo(['migrate', '--project', folder])).code, 0)
  const file = path.join(folder, 'config/roles.json')
  for (const [args, message] of [
    [['new', path.join(file, 'site'), '--yes'], /^Cannot create .*site: ENOTDIR/],
    [['export', folder, '--project', folder], /is a folder: pass the path of a file/],
    [['media', 'unused', '--older-than', '1e9', '--project', folder], /Expected a number of days/],
  ] as const) {
    const { code, out, err } = await octavo(args)
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, message)
    assert.doesNotMatch(err, /Unexpected error/)
  }
  assert.ok(!existsSync(`${folder}.part`))
})

test('a server does not outlive the npm script that started it', async () => {
  const folder = notes('npm')
  const line = `"${process.execPath}" "${COMMAND}" start --project "${folder}" --port 0; true`
  const env = { ...process.env, npm_lifecycle_event: 'start' }
  const shell = trackProcess(spawn('/bin/sh', ['-c', line], { env }))
  running.add(shell)
  const address = await shell.address()
  // The server has inherited the output of the shell, so this event comes after both have exited.
  const closed = once(shell.child, 'close')
  assert.equal(await shell.stop('SIGKILL'), null)
  await closed
  await assert.rejects(fetch(`${address}/healthz`), /fetch failed/)
})

onEachEngine((engine) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    test(`a server with one process serves until ${signal}, also when it is asked to reload, and exits with code 0`, async () => {
      const folder = notes(`serve-${engine.name}-${signal}`)
      const server = await started('--project', folder, '--database', await engine.freshUrl())
      const { address, stop } = server
      server.child.kill('SIGUSR2')
      await waitUntil(() => server.output().includes('Cannot reload: this server has one process'))
      const response = await fetch(`${address}/api/notes`)
      assert.equal(response.status, 200)
      assert.equal(await stop(signal), 0)
    })

  test('migrate lists the changes, and the second time says that the database is up to date', async () => {
    const folder = notes(`migrate-${engine.name}`)
    const args = ['migrate', '--project', folder, '--database', await engine.freshUrl()]
    const first = await octavo(args)
    assert.equal(first.code, 0, first.err)
    assert.match(first.out, /api::note\.note/)
    const second = await octavo(args)
    assert.equal(second.code, 0, second.err)
    assert.doesNotMatch(second.out, /api::note\.note/)
    assert.match(second.out, /up to date/)
  })
})

test('a demo that is stopped while it loads its content loads all of it first', async () => {
  const folder = notes('content-stopped')
  const content = Array.from({ length: 1000 }, (_, key) => ({ key: String(key), data: { text: 'Some' } }))
  writeFiles(folder, { 'config/tokens.json': TOKEN, 'content/10-notes.json': content })
  const first = launch(['start', '--port', '0', '--project', folder, '--demo'])
  running.add(first)
  await waitUntil(() => countNotes(folder) > 0)
  assert.equal(await first.stop('SIGINT'), 0, first.output())
  assert.equal(countNotes(folder), content.length)
})

const TOKEN = { me: { type: 'full-access', token: 'for-development-only-content-of-notes' } }

function countNotes(folder: string): number {
  const file = path.join(folder, '.octavo/data.db')
  if (!existsSync(file)) return 0
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(database.prepare('SELECT count(*) AS count FROM notes').get()?.count)
  } catch {
    return 0
  } finally {
    database.close()
  }
}

test('an invalid content file is reported by name, and nothing is written', async () => {
  const folder = notes('content-invalid')
  writeFiles(folder, {
    'config/tokens.json': TOKEN,
    'content/10-notes.json': [{ key: 'one', data: { text: 'One' } }],
    'content/20-notes.json': '[',
  })
  const { code, err } = await octavo(['start', '--port', '0', '--project', folder, '--demo'])
  assert.equal(code, 1)
  assert.match(err, /content\/20-notes\.json is not JSON/)
  writeFiles(folder, { 'content/20-notes.json': [{ key: 'two', data: { text: 'Two' } }] })
  const { address, stop } = await started('--project', folder, '--demo')
  assert.match(await (await fetch(`${address}/api/notes`)).text(), /"One".*"Two"/)
  assert.equal(await stop(), 0)
})

test('the demo loads its content once and prints requests that work', async () => {
  const folder = path.join(scratch, 'demo')
  copyProject(path.join(ROOT, 'examples/restaurants'), folder)
  const totals: number[] = []
  for (let round = 0; round < 2; round++) {
    const { address, output, stop } = await started('--project', folder, '--demo')
    const [read, create] = [...output().matchAll(/^ {2}(curl .*)$/gm)].map(([, line]) => line)
    const found = await sent(address, read)
    assert.ok(Array.isArray(found.data) && 'cuisines' in found.data[0])
    totals.push(found.meta.pagination?.total ?? 0)
    const created = await sent(address, create)
    assert.ok('documentId' in created.data)
    const [docs = ''] = /http:\S+\/docs/.exec(output()) ?? []
    assert.equal((await fetch(docs)).status, 200)
    await stop()
  }
  assert.deepEqual(totals, [8, 9], 'the second start finds content and adds nothing')
})

interface ParsedBody {
  readonly data: object
  readonly meta: { readonly pagination?: { readonly total: number } }
}

/** Sends the request of a curl command without needing curl. */
async function sent(address: string, line = ''): Promise<ParsedBody> {
  const { method, url, headers, body } = fromCurl(line)
  const response = await fetch(address + url, { method, headers, body })
  return JSON.parse(await response.text())
}
