/** Commands that look for something where nothing is: they say so, and make no database by looking. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { octavo } from '../command.ts'
import { collection, projectFolder, string, typeFile } from '../live/world.ts'

const FILES = { [typeFile('note')]: collection('note', { text: string }) }

describe('a database that is not there', () => {
  it('is told by commands that need one, which leave nothing behind', async (t) => {
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
      assert.match(err, /There is nothing in the database sqlite:.*data\.db\n.*--database/, args.join(' '))
      assert.deepEqual([existsSync(file), existsSync(archive)], [false, false], args.join(' '))
    }
  })

  it('is planned for, and not made by that', async (t) => {
    const folder = projectFolder(FILES)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const { code, out } = await octavo(['migrate', '--plan', '--project', folder])
    assert.equal(code, 0)
    assert.match(out, /api::note.note: a new content-type/)
    assert.ok(!existsSync(join(folder, '.octavo')))
  })

  it('is looked for in the folder of the project, wherever the command is called', async (t) => {
    const folder = projectFolder(FILES)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    assert.match((await octavo(['doctor', '--project', folder])).out, /is not there yet/)
    assert.equal((await octavo(['migrate', '--project', folder])).code, 0)
    assert.match((await octavo(['doctor', '--project', folder])).out, /in line with the schema files/)
  })
})
