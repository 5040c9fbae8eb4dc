import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  gifAndScript,
  pngAndPage,
  scriptInHtml,
  scriptInSvg,
  zipBomb,
} from '../../../test/media/hostile-files.ts'
import { plain } from '../../../test/media/test-images.ts'
import { detectType } from './detect.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-detect-'))
})
after(() => rm(folder, { recursive: true }))

async function typeOf(content: string | Uint8Array, name: string) {
  const path = join(folder, 'file')
  await writeFile(path, content)
  const { mime, ext } = await detectType(path, name)
  return `${mime} ${ext}`
}

test('images are detected by their bytes, whatever their name', async () => {
  assert.equal(await typeOf(await plain(2, 2).png().toBuffer(), 'a.txt'), 'image/png .png')
  assert.equal(await typeOf(await plain(2, 2).jpeg().toBuffer(), 'a.JPEG'), 'image/jpeg .jpg')
  assert.equal(await typeOf(await plain(2, 2).webp().toBuffer(), 'a'), 'image/webp .webp')
  assert.equal(await typeOf(await plain(2, 2).avif().toBuffer(), 'a.html'), 'image/avif .avif')
})

test('harmless text keeps its declared type', async () => {
  assert.equal(await typeOf('a,b\n1,2\n', 'table.csv'), 'text/csv .csv')
  assert.equal(await typeOf('{"a": 1}', 'a.json'), 'application/json .json')
  assert.equal(await typeOf('# Title\n', 'READ.ME.MARKDOWN'), 'text/markdown .md')
  assert.equal(await typeOf('<p align="center">A logo</p>\n\n# Title', 'readme.md'), 'text/markdown .md')
  assert.equal(await typeOf('\ufeffGr\u00fc\u00dfe', 'hello'), 'text/plain .txt')
  assert.equal(await typeOf(Buffer.from('Gr\u00fc\u00dfe', 'latin1'), 'hello.csv'), 'text/csv .csv')
  assert.equal(await typeOf(Buffer.from('\ufeffhello', 'utf16le'), 'hello.txt'), 'text/plain .txt')
  assert.equal(await typeOf('', 'empty.csv'), 'text/csv .csv')
})

test('text is detected even if it starts with the signature of a program or an image', async () => {
  assert.equal(await typeOf('MZ is the name of a street', 'a.txt'), 'text/plain .txt')
  assert.equal(await typeOf('BMW prices', 'a.exe'), 'text/plain .txt')
  assert.equal(await typeOf('%PDF-1.4\n%%EOF', 'a.txt'), 'application/pdf .pdf')
})

test('scripts and styles are plain text', async () => {
  assert.equal(await typeOf('alert(1)', 'a.js'), 'text/plain .txt')
  assert.equal(await typeOf('body { color: red }', 'a.css'), 'text/plain .txt')
})

test('HTML named .png is HTML', async () => {
  assert.equal(await typeOf(scriptInHtml, 'photo.png'), 'text/html .html')
  assert.equal(await typeOf('  \n<!-- x --><body onload=alert(1)>', 'photo.png'), 'text/html .html')
  assert.equal(await typeOf('<img src=x onerror=alert(1)>', 'photo.jpg'), 'text/html .html')
  assert.equal(await typeOf('<script>alert(1)</script>', 'notes.txt'), 'text/html .html')
  assert.equal(
    await typeOf('<?xml version="1.0"?><html xmlns="x"/>', 'a.csv'),
    'application/xhtml+xml .xhtml',
  )
  assert.equal(await typeOf(Buffer.from('\ufeff<html>', 'utf16le'), 'photo.png'), 'text/html .html')
})

test('SVG is detected under any name and after any preamble', async () => {
  assert.equal(await typeOf(scriptInSvg, 'photo.png'), 'image/svg+xml .svg')
  assert.equal(
    await typeOf('<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>', 'a.txt'),
    'image/svg+xml .svg',
  )
  const doctype = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x" [ <!ENTITY a "b"> ]>\n<svg/>'
  assert.equal(await typeOf(doctype, 'a.txt'), 'image/svg+xml .svg')
})

test('XML has the type of its contents, whatever its name says', async () => {
  assert.equal(await typeOf('<?xml version="1.0"?><feed/>', 'feed.json'), 'application/xml .xml')
})

test('a polyglot has the type of its first bytes', async () => {
  assert.equal(await typeOf(gifAndScript, 'a.js'), 'image/gif .gif')
  assert.equal(await typeOf(await pngAndPage(), 'a.html'), 'image/png .png')
})

test('binary content without a signature has an unknown type', async () => {
  assert.equal(
    await typeOf(Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]), 'photo.png'),
    'application/octet-stream .bin',
  )
  assert.equal(
    await typeOf(Buffer.from([0, 1, 2, 3, 0, 255, 0, 1]), 'page.html'),
    'application/octet-stream .bin',
  )
})

test('a zip bomb is not unpacked to detect its type', async () => {
  const bomb = zipBomb(200_000_000)
  const before = process.memoryUsage().rss
  assert.equal(await typeOf(bomb, 'report.docx'), 'application/zip .zip')
  assert.ok(process.memoryUsage().rss - before < 100_000_000)
})

test('hostile markup takes linear time', async () => {
  const start = performance.now()
  for (const text of [
    '<!-- >',
    '<!>',
    '<?>',
    '<![',
    '<!doctype x>',
    '<!-- -->',
    '<!a[]',
    '<svg',
    ' ',
    '<!--',
  ])
    await typeOf(text.repeat(65_536 / text.length), 'a.svg')
  assert.ok(performance.now() - start < 2_000)
})
