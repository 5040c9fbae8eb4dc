import assert from 'node:assert/strict'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { type LibraryServer, startLibrary } from './library-server.ts'
import { plain } from './test-images.ts'

onEachEngine((engine) => {
  let library: LibraryServer
  before(async () => {
    library = await startLibrary(engine)
  })
  after(() => library.close())

  const media = async (...args: string[]) => {
    const options = ['--project', library.project, '--database', library.database]
    const { code, out, err } = await octavo(['media', ...args, ...options])
    assert.equal(code, 0, err)
    return out
  }
  const upload = async (name: string) => {
    const content = new Uint8Array(await plain(300, 200).png().toBuffer())
    return (await library.upload([{ name, content }])).body[0]
  }

  test('unused files are listed and deleted; all others stay', async () => {
    const shown = await upload('shown.png')
    const inComponent = await upload('component.png')
    const inDraft = await upload('draft.png')
    const mentioned = await upload('mentioned.png')
    const unused = await upload('unused.png')
    const body = `Look: ![a picture](https://example.test${mentioned.formats.thumbnail.url})`
    const articles = [
      ['', { cover: shown.id, strip: [{ picture: inComponent.id }], body }],
      ['?status=draft', { gallery: [inDraft.id] }],
    ] as const
    for (const [query, data] of articles)
      assert.equal((await library.send('POST', `/api/articles${query}`, 'full', { data })).status, 201)

    const young = await media('unused')
    assert.match(
      young,
      /^1 unused file younger than 7 days not listed; list all with: npm run octavo -- media unused --older-than 0 --project .*$/m,
    )
    assert.doesNotMatch(young, /Every file is in use|sweep/)
    const listed = await media('unused', '--older-than', '0')
    assert.ok(listed.includes(unused.url) && listed.includes('1 unused file,'))
    assert.match(listed, /Delete them with: npm run octavo -- media sweep --older-than 0 --project .*$/m)
    assert.doesNotMatch(listed, /younger/)
    for (const { url } of [shown, inComponent, inDraft, mentioned]) assert.ok(!listed.includes(url))

    const lost = join(library.project, 'public/uploads', 'lost_0123456789abcdef.png')
    const foreign = join(library.project, 'public/uploads', 'robots.txt')
    for (const path of [lost, foreign]) {
      writeFileSync(path, 'x')
      utimesSync(path, 1, 1)
    }
    assert.match(
      await media('sweep', '--older-than', '0'),
      /Deleted 1 unused file and 1 stored file without a record\./,
    )
    assert.equal((await library.send('GET', `/api/upload/files/${unused.id}`)).status, 404)
    assert.equal((await library.send('GET', unused.url, 'public')).status, 404)
    for (const file of [shown, inComponent, inDraft, mentioned]) {
      assert.equal((await library.send('GET', `/api/upload/files/${file.id}`)).status, 200)
      assert.equal((await library.send('GET', file.url, 'public')).status, 200)
    }
    assert.ok(
      library.stored().includes('robots.txt') && !library.stored().includes('lost_0123456789abcdef.png'),
    )
    assert.match(
      await media('sweep', '--older-than', '0'),
      /Deleted 0 unused files and 0 stored files without a record\./,
    )
    assert.equal(await media('unused'), 'Every file is in use.\n')
  })

  test('nothing is deleted when the database belongs to another project', async () => {
    const uploaded = await upload('kept.png')
    for (const name of library.stored()) utimesSync(join(library.project, 'public/uploads', name), 1, 1)
    const before = library.stored()
    const options = ['--project', library.project, '--database', await engine.freshUrl()]
    const sweep = () => octavo(['media', 'sweep', '--older-than', '0', ...options])

    const empty = await sweep()
    assert.equal(empty.code, 1)
    assert.match(empty.err, /No content in database/)
    assert.equal((await octavo(['migrate', ...options])).code, 0)
    const other = await sweep()
    assert.equal(other.code, 1)
    assert.match(other.err, /None of the \d+ stored files belongs to this database/)
    assert.deepEqual(library.stored(), before)
    assert.equal((await library.send('GET', uploaded.url, 'public')).status, 200)
  })
})
