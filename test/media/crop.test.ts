/** Cropped images: their contents, formats, urls and focal point, and how a crop is undone. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import sharp from 'sharp'
import { onEachEngine } from '../support/engines.ts'
import { type LibraryServer, type Sender, startLibrary } from './library-server.ts'
import { animation } from './test-images.ts'

/** Red on the left half, blue on the right. */
const halves = async (width: number, height: number) => {
  const half = sharp({ create: { width: width / 2, height, channels: 3, background: '#0000ff' } })
  return new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
      .composite([{ input: await half.png().toBuffer(), left: width / 2, top: 0 }])
      .png()
      .toBuffer(),
  )
}

const LEFT = { x: 0, y: 0, width: 50, height: 100 }
const RIGHT = { x: 50, y: 0, width: 50, height: 100 }

onEachEngine((engine) => {
  let library: LibraryServer
  before(async () => {
    library = await startLibrary(engine)
  })
  after(() => library.close())

  const uploaded = async (name: string, content: Uint8Array<ArrayBuffer>, as: Sender = 'full') => {
    const { status, body } = await library.upload([{ name, content }], {}, as)
    assert.equal(status, 201, JSON.stringify(body))
    return body[0]
  }
  const edit = (id: number, fileInfo: object, as: Sender = 'full') =>
    library.send('POST', `/api/upload?id=${id}`, as, { fileInfo })
  const bytesAt = async (path: string, as: Sender = 'public') => {
    const response = await fetch(library.base + path, { headers: library.credential(as) })
    assert.equal(response.status, 200, path)
    return Buffer.from(await response.arrayBuffer())
  }
  /** The size of an image, and the colour of its first and its last pixel. */
  const imageAt = async (path: string, as?: Sender) => {
    const { data, info } = await sharp(await bytesAt(path, as))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const colour = (at: number) => ((data[at] ?? 0) > 128 ? 'red' : 'blue')
    return [info.width, info.height, colour(0), colour(data.length - 3)]
  }

  it('a crop keeps the id and the urls, which show the part in every format', async () => {
    const file = await uploaded('halves.png', await halves(600, 300))
    const { status, body } = await edit(file.id, { crop: RIGHT, caption: 'The right half' })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([body.id, body.width, body.height, body.caption], [file.id, 300, 300, 'The right half'])
    assert.deepEqual(Object.keys(body.formats), ['thumbnail'])
    assert.deepEqual(await imageAt(body.url), [300, 300, 'blue', 'blue'])
    assert.deepEqual(await imageAt(body.formats.thumbnail.url), [156, 156, 'blue', 'blue'])
    assert.deepEqual(await imageAt(file.url), [300, 300, 'blue', 'blue'], 'the url before the crop')
    assert.deepEqual(await imageAt(file.formats.thumbnail.url), [156, 156, 'blue', 'blue'])
    assert.deepEqual(
      await imageAt(file.formats.small.url),
      [300, 300, 'blue', 'blue'],
      'a format that is gone',
    )
    const { headers } = await library.send('GET', file.url, 'public')
    assert.equal(headers.get('cache-control'), 'no-cache')
    assert.doesNotMatch(JSON.stringify(body), /original/, 'the address of the whole image is not shown')
  })

  it('the original is kept: the next crop starts from it, and it can be restored byte by byte', async () => {
    const kept = () =>
      library
        .stored()
        .filter((name) => /original_|whole_/.test(name))
        .toSorted()
    const others = kept()
    const file = await uploaded('whole.png', await halves(200, 100))
    const before = await bytesAt(file.url)
    await edit(file.id, { crop: RIGHT })
    const original = `/api/upload/files/${file.id}/original`
    assert.deepEqual(await bytesAt(original, 'full'), before)
    const { body: left } = await edit(file.id, { crop: LEFT })
    assert.deepEqual(await imageAt(left.url), [100, 100, 'red', 'red'])
    const { body: whole } = await edit(file.id, { crop: null })
    assert.deepEqual(await bytesAt(whole.url), before)
    assert.deepEqual(await bytesAt(file.url), before)
    assert.deepEqual(
      kept(),
      [...others, whole.url.replace('/uploads/', '')].toSorted(),
      'nothing else is kept',
    )
    for (const [as, status] of [
      ['public', 403],
      ['reader', 403],
      ['sender', 403],
    ] as const)
      assert.equal((await library.send('GET', original, as)).status, status, as)
  })

  it('the focal point stays where it is in the picture, unless it is cut off or sent', async () => {
    const file = await uploaded('focus.png', await halves(200, 100))
    await edit(file.id, { focalPoint: { x: 75, y: 50 } })
    assert.deepEqual((await edit(file.id, { crop: RIGHT })).body.focalPoint, { x: 50, y: 50 })
    assert.deepEqual((await edit(file.id, { crop: null })).body.focalPoint, { x: 75, y: 50 })
    assert.equal((await edit(file.id, { crop: LEFT })).body.focalPoint, null)
    const sent = await edit(file.id, { crop: RIGHT, focalPoint: { x: 1, y: 2 } })
    assert.deepEqual(sent.body.focalPoint, { x: 1, y: 2 })
  })

  it('new contents replace the crop and its original', async () => {
    const file = await uploaded('replaced.png', await halves(200, 100))
    await edit(file.id, { crop: RIGHT })
    const content = await halves(400, 200)
    const files = [{ name: 'replaced.png', content }]
    const { body } = await library.upload(files, {}, 'full', `?id=${file.id}`)
    assert.deepEqual(await imageAt(body.url), [400, 200, 'red', 'blue'])
    assert.deepEqual(await imageAt(file.url), [400, 200, 'red', 'blue'])
    assert.deepEqual(await imageAt(`/api/upload/files/${file.id}/original`, 'full'), [
      400,
      200,
      'red',
      'blue',
    ])
    assert.equal((await library.send('DELETE', `/api/upload/files/${file.id}`)).status, 200)
    assert.equal((await library.send('GET', file.url, 'public')).status, 404)
    assert.equal((await library.send('GET', body.url, 'public')).status, 404)
    assert.deepEqual(
      library.stored().filter((name) => name.includes('replaced_')),
      [],
    )
  })

  it('what cannot be cropped is refused, and nothing changes', async () => {
    const file = await uploaded('safe.png', await halves(200, 100))
    for (const crop of [
      {},
      'left',
      [0, 0, 1, 1],
      { ...LEFT, width: 0 },
      { ...LEFT, x: -1 },
      { ...RIGHT, width: 51 },
      { ...LEFT, extra: 1 },
      { x: '0', y: 0, width: 1, height: 1 },
    ])
      assert.equal((await edit(file.id, { crop })).status, 400, JSON.stringify(crop))
    assert.equal((await edit(file.id, { crop: LEFT }, 'sender')).status, 403)
    assert.equal((await edit(999_999, { crop: LEFT })).status, 404)
    const { body } = await library.send('GET', `/api/upload/files/${file.id}`)
    assert.equal(body.url, file.url)

    const text = await uploaded('text.txt', new TextEncoder().encode('text'))
    const refused = await edit(text.id, { crop: LEFT })
    assert.deepEqual(
      [refused.status, refused.body.error.message],
      [400, 'Images of type text/plain cannot be cropped'],
    )
    const gif = await uploaded('moving.gif', new Uint8Array(await animation(20, 20, 3)))
    assert.match((await edit(gif.id, { crop: LEFT })).body.error.message, /animated/)
    const content = await halves(20, 20)
    const both = await library.upload(
      [{ name: 'a.png', content }],
      { fileInfo: { crop: LEFT } },
      'full',
      `?id=${file.id}`,
    )
    assert.equal(both.status, 400)
  })

  it('an image whose contents are missing is not cropped, and the server goes on', async () => {
    const file = await uploaded('missing.png', await halves(200, 100))
    rmSync(join(library.folder, `${file.hash}.png`))
    const refused = [400, 'ApplicationError', 'The contents of the file are missing']
    for (const { status, body } of [
      await edit(file.id, { crop: LEFT }),
      await library.send('GET', `/api/upload/files/${file.id}/original`),
    ])
      assert.deepEqual([status, body.error.name, body.error.message], refused)
    assert.equal((await library.send('GET', `/api/upload/files/${file.id}`)).status, 200)
    assert.deepEqual(library.incoming(), [])
  })
})
