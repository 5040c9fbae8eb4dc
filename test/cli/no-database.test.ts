/** Commands that look for something where nothing is: they say so, and make no database by looking. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import pg from 'pg'
import { sqliteFile } from '../../src/project/config/database-url.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { sendRequest } from '../support/http-request.ts'
import { collection, openProject, projectFolder, string, typeFile } from '../support/project-server.ts'

const FILES = { [typeFile('note')]: collection('note', { text: string }) }

describe('a database that does not exist', () => {
  it('is reported by commands that need one, and not created', async (t) => {
    const folder = projectFolder(FILES)
    const place = mkdtempSync(join(tmpdir(), 'octavo-nothing-'))
    t.after(() => {
      for (const each of [folder, place]) rmSync(each, { recursive: true, force: true })
    })
    const file = join(place, 'data.db')
    const archive = join(place, 'saved.octavo.jsonl.gz')
    for (const args of [
      ['export', archive],
      ['media', 'unused'],
      ['media', 'sweep'],
      ['admin', 'list'],
      ['admin', 'demote', 'somebody'],
      ['token', 'list'],
      ['token', 'revoke', '1'],
      ['migrate', '--sweep'],
    ]) {
      const { code, err } = await octavo([...args, '--project', folder, '--database', `sqlite:${file}`])
      assert.equal(code, 1, args.join(' '))
      assert.match(err, /No content in database sqlite:.*data\.db\n.*--database/, args.join(' '))
      assert.deepEqual([existsSync(file), existsSync(archive)], [false, false], args.join(' '))
    }
  })

  it('can be planned for without being created', async (t) => {
    const folder = projectFolder(FILES)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const { code, out } = await octavo(['migrate', '--plan', '--project', folder])
    assert.equal(code, 0)
    assert.match(out, /api::note.note: new content-type/)
    assert.ok(!existsSync(join(folder, '.octavo')))
  })

  it('is found in the project folder, whatever the working directory', async (t) => {
    const folder = projectFolder(FILES)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    assert.match((await octavo(['doctor', '--project', folder])).out, /does not exist yet/)
    assert.equal((await octavo(['migrate', '--project', folder])).code, 0)
    assert.match((await octavo(['doctor', '--project', folder])).out, /up to date with the schema files/)
  })
})

onEachEngine((engine) => {
  it('a database that Octavo did not create is inspected, and not changed', async (t) => {
    const folder = projectFolder(FILES)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const url = await engine.emptyUrl()
    await run(url, 'CREATE TABLE theirs (name text)')
    const before = await stateOf(url)
    const runUnchanged = async (args: readonly string[]) => {
      const ended = await octavo([...args, '--project', folder, '--database', url])
      assert.deepEqual(await stateOf(url), before, args.join(' '))
      return ended
    }
    assert.match((await runUnchanged(['doctor'])).out, /has no Octavo tables yet/)
    assert.match((await runUnchanged(['migrate', '--plan'])).out, /api::note.note: new content-type/)
    for (const args of [
      ['token', 'list'],
      ['token', 'revoke', '1'],
      ['admin', 'list'],
      ['admin', 'demote', 'somebody'],
      ['media', 'unused'],
      ['export', join(folder, 'saved.octavo.jsonl.gz')],
    ]) {
      const { code, err } = await runUnchanged(args)
      assert.deepEqual([code, err.split(' ', 4).join(' ')], [1, 'No content in database'], args.join(' '))
    }
  })

  it('a token created before the first start is listed, and can be revoked', async (t) => {
    const folder = projectFolder(FILES)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const place = ['--project', folder, '--database', await engine.emptyUrl()]
    assert.equal((await octavo(['token', 'create', 'early', ...place])).code, 0)
    assert.match((await octavo(['token', 'list', ...place])).out, /early/)
    assert.equal((await octavo(['token', 'revoke', 'early', ...place])).code, 0)
  })

  it('a token created before the first start has its permissions', async (t) => {
    const permissions = { 'api::note.note': ['create'] }
    const folder = projectFolder({ ...FILES, 'permissions.json': permissions })
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const url = await engine.emptyUrl()
    const custom = ['--type', 'custom', '--permissions', join(folder, 'permissions.json')]
    const made = await octavo(['token', 'create', ...custom, '--project', folder, '--database', url])
    assert.equal(made.code, 0, made.err)
    const running = await openProject(folder, url)
    const headers = { authorization: `Bearer ${made.out.trim()}` }
    const body = JSON.stringify({ data: { text: 'a' } })
    const { status, text } = await sendRequest(running.server, 'POST', '/api/notes', headers, body)
    await running.close()
    assert.equal(status, 201, text)
  })
})

async function run(url: string, statement: string): Promise<readonly unknown[]> {
  const file = sqliteFile(url)
  if (file !== null) {
    const database = new DatabaseSync(file)
    database.exec(statement)
    database.close()
    return []
  }
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Every byte of a file; what a server has in the way of tables and indexes. */
async function stateOf(url: string): Promise<unknown> {
  const file = sqliteFile(url)
  if (file !== null) return readFileSync(file, 'base64')
  return run(url, `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname`)
}
