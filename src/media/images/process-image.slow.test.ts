import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { gifAndScript, pixelBomb } from '../../../test/media/hostile-files.ts'
import { animation, noise, plain } from '../../../test/media/test-images.ts'
import type { UploadConfig } from '../../project/config/config.ts'
import { defaults } from '../../project/config/defaults.ts'
import { detectType } from '../files/detect.ts'
import { isDiskFull } from '../storage/disk-failures.ts'
import { createStaging } from '../storage/staging.ts'
import { processImage } from './process-image.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-image-'))
})
after(() => rm(folder, { recursive: true }))

async function pictureOf(content: Uint8Array, changes: Partial<UploadConfig['images']> = {}) {
  const stage = createStaging(folder).open()
  const path = stage.reserve()
  await writeFile(path, content)
  const type = await detectType(path, 'picture')
  const config = { ...defaults.upload.images, ...changes }
  const received = { path, size: (await stat(path)).size }
  const picture = await processImage(received, type, 'picture', config, stage.reserve)
  return { ...picture, bytes: await readFile(picture.stored.path) }
}

const sizesOf = ({ formats }: Awaited<ReturnType<typeof pictureOf>>) =>
  Object.fromEntries(formats.map(({ format, width, height }) => [format, `${width}×${height}`]))

test('formats are derived only if the image is larger', async () => {
  assert.deepEqual(sizesOf(await pictureOf(await plain(245, 156).png().toBuffer())), {})
  assert.deepEqual(sizesOf(await pictureOf(await plain(600, 400).png().toBuffer())), {
    thumbnail: '234×156',
    small: '500×333',
  })
  assert.deepEqual(sizesOf(await pictureOf(await plain(1200, 2400).jpeg().toBuffer())), {
    thumbnail: '78×156',
    small: '250×500',
    medium: '375×750',
    large: '500×1000',
  })
  assert.deepEqual(sizesOf(await pictureOf(await plain(4000, 1).png().toBuffer())), {
    thumbnail: '245×1',
    small: '500×1',
    medium: '750×1',
    large: '1000×1',
  })
})

test('a derived format has the size and type of its record', async () => {
  const { formats } = await pictureOf(await noise(900, 700).webp().toBuffer())
  assert.equal(formats.length, 3)
  for (const { path, mime, ext, width, height, size } of formats) {
    const made = await sharp(path).metadata()
    assert.deepEqual([made.width, made.height, made.format, made.size ?? size], [width, height, 'webp', size])
    assert.equal((await stat(path)).size, size)
    assert.deepEqual([mime, ext], ['image/webp', '.webp'])
  }
})

test('a rotated photo and its formats are stored upright', async () => {
  const sideways = await plain(600, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const picture = await pictureOf(sideways)
  assert.deepEqual([picture.width, picture.height], [400, 600])
  const stored = await sharp(picture.bytes).metadata()
  assert.deepEqual([stored.width, stored.height, stored.orientation ?? 1], [400, 600, 1])
  assert.deepEqual(sizesOf(picture), { thumbnail: '104×156', small: '333×500' })
})

test('with autoOrient off a rotated photo is unchanged and its formats are upright', async () => {
  const sideways = await plain(600, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const picture = await pictureOf(sideways, { autoOrient: false, stripMetadata: false, optimize: false })
  assert.deepEqual([picture.width, picture.height], [600, 400])
  assert.ok(picture.bytes.equals(sideways))
  assert.equal(sizesOf(picture).small, '333×500')
})

test('the location of a photo is stripped unless configured otherwise', async () => {
  const exif = {
    IFD0: { Copyright: 'secret-owner' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
  }
  for (const make of ['jpeg', 'png', 'webp', 'avif'] as const) {
    const photo = await plain(60, 40).withExif(exif).toFormat(make).toBuffer()
    assert.ok(photo.includes('secret-owner'), make)
    assert.ok(!(await pictureOf(photo)).bytes.includes('secret-owner'), make)
    const kept = await pictureOf(photo, { stripMetadata: false })
    assert.ok(kept.bytes.includes('secret-owner'), make)
  }
})

test('an image of few colours is stored smaller without changing a pixel', async () => {
  const drawing = await plain(600, 400).png({ compressionLevel: 0 }).toBuffer()
  const { bytes } = await pictureOf(drawing)
  assert.ok(bytes.length < drawing.length / 10)
  const pixels = (file: Buffer) => sharp(file).raw().toBuffer()
  assert.ok((await pixels(bytes)).equals(await pixels(drawing)))
})

test('an image of many colours keeps all of them', async () => {
  const photo = await noise(200, 200).png().toBuffer()
  assert.ok((await pictureOf(photo)).bytes.equals(photo))
})

test('a photo is optimized if that makes it smaller and unless configured otherwise', async () => {
  const heavy = await noise(300, 300).jpeg({ quality: 100 }).toBuffer()
  assert.ok((await pictureOf(heavy)).bytes.length < heavy.length)
  assert.ok((await pictureOf(heavy, { optimize: false })).bytes.equals(heavy))
  const light = await noise(300, 300).jpeg({ quality: 30 }).toBuffer()
  assert.ok((await pictureOf(light)).bytes.equals(light))
})

test('an animation is kept; its formats are still images', async () => {
  const gif = await animation(300, 200, 3)
  const picture = await pictureOf(gif)
  assert.ok(picture.bytes.equals(gif))
  assert.deepEqual([picture.width, picture.height], [300, 200])
  assert.deepEqual(sizesOf(picture), { thumbnail: '234×156' })
  const [thumbnail] = picture.formats
  assert.equal((await sharp(thumbnail?.path).metadata()).pages ?? 1, 1)
})

test('the placeholder is a tiny image, if configured', async () => {
  const photo = await plain(600, 400).jpeg().toBuffer()
  assert.equal((await pictureOf(photo)).placeholder, null)
  const { placeholder } = await pictureOf(photo, { placeholder: true })
  assert.match(placeholder ?? '', /^data:image\/webp;base64,/)
  const { width, height } = await sharp(Buffer.from(placeholder?.split(',')[1] ?? '', 'base64')).metadata()
  assert.deepEqual([width, height], [16, 11])
})

test('a pixel bomb is rejected before it is decoded', async () => {
  await assert.rejects(pictureOf(pixelBomb(60_000, 60_000)), {
    name: 'ValidationError',
    message: /60000 × 60000 pixels/,
  })
})

test('an image that claims to be larger than it is, is rejected', async () => {
  await assert.rejects(pictureOf(pixelBomb(9_000, 9_000)), { name: 'ValidationError' })
})

test('a polyglot that only starts like an image is rejected', async () => {
  await assert.rejects(pictureOf(gifAndScript), { name: 'ValidationError' })
})

test('a truncated image is rejected', async () => {
  const whole = await noise(400, 400).jpeg().toBuffer()
  await assert.rejects(pictureOf(whole.subarray(0, whole.length / 2)), { name: 'ValidationError' })
  const png = await noise(400, 400).png().toBuffer()
  await assert.rejects(pictureOf(png.subarray(0, png.length / 2)), { name: 'ValidationError' })
})

test('a full disk is not the fault of the image', async () => {
  const content = await noise(900, 700).png().toBuffer()
  const path = join(folder, 'received.png')
  await writeFile(path, content)
  const type = await detectType(path, 'received.png')
  const received = { path, size: content.length }
  // Linux has a device that is always full.
  for (const full of ['/dev/full'].filter((device) => existsSync(device)))
    for (const changes of [{}, { optimize: false }]) {
      const config = { ...defaults.upload.images, ...changes }
      const failed = processImage(received, type, 'picture', config, () => full)
      await assert.rejects(failed, (error) => isDiskFull(error))
    }
})
