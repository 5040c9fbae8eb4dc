/** Commands with a database that a newer version of Octavo has written. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { collection, projectFolder, string, typeFile } from '../support/project-server.ts'

const FILES = { [typeFile('note')]: collection('note', { text: string }) }

onEachEngine((engine) => {
  test('a database of a newer version is refused by every command, and not written to', async (t) => {
    const folder = projectFolder(FILES)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const url = await engine.freshUrl()
    const run = (...args: readonly string[]) => octavo([...args, '--project', folder, '--database', url])
    assert.equal((await run('migrate')).code, 0)
    assert.equal((await run('token', 'create', 'kept')).code, 0)
    const store = await openStore(url)
    t.after(() => store.close())
    const setFormat = (format: string) =>
      store.write(async (transaction) => {
        transaction.run({
          sql: `UPDATE octavo_meta SET value = '${format}' WHERE key = 'format'`,
          parameters: [],
        })
      })
    const [format] = await store.read({
      sql: "SELECT value FROM octavo_meta WHERE key = 'format'",
      parameters: [],
    })
    await setFormat('99')
    for (const args of [
      ['token', 'create', 'another'],
      ['token', 'revoke', 'kept'],
      ['token', 'list'],
      ['migrate', '--sweep', '--confirm'],
      ['admin', 'list'],
      ['export', `${folder}/out.gz`],
    ]) {
      const { code, out, err } = await run(...args)
      assert.equal(code, 1, args.join(' '))
      assert.equal(out, '', args.join(' '))
      assert.match(
        err,
        /^The database was written by a newer version of Octavo .* Update Octavo\.\n$/,
        args.join(' '),
      )
    }
    await setFormat(String(format?.value))
    const { out } = await run('token', 'list')
    assert.match(out, /never used +kept/)
    assert.doesNotMatch(out, /another|revoked/)
  })
})
