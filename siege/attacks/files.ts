/** Hostile files and forms: markup, polyglots, bombs, names that leave the folder, and uploads that are broken off. */
import * as hostile from '../../test/media/hostile-files.ts'
import { type Attack, type Attacker, expectStatus, pick } from '../attack.ts'
import { fileForm } from '../send.ts'

const MANY_TAGS = Buffer.from('<svg'.repeat(16_000))
const FILES: readonly [Buffer, ...Buffer[]] = [
  hostile.scriptInSvg,
  hostile.scriptInHtml,
  hostile.entityBomb,
  hostile.gifAndScript,
  hostile.pixelBomb(30_000, 30_000),
  hostile.pixelBomb(100_000, 100_000),
  hostile.zipBomb(10_000_000),
  MANY_TAGS,
  Buffer.from(`<svg ${'a'.repeat(60_000)}`),
  Buffer.from('<!--'.repeat(16_000)),
  Buffer.from('<?xml '.repeat(10_000)),
  Buffer.alloc(0),
]

const NAMES = [
  '../../../config/tokens.json',
  '..\\..\\octavo.config.ts',
  'page.html',
  'a.png\u0000.html',
  `${'x'.repeat(5_000)}.png`,
  '.htaccess',
  'CON',
  'photo.png',
] as const

/** What was accepted must be served as a download that runs no script. */
async function uploadHostileFiles(attacker: Attacker): Promise<void> {
  const { userToken: token } = attacker
  const form = fileForm(pick(attacker, NAMES), pick(attacker, FILES))
  const reply = await attacker.send('/api/upload', { method: 'POST', token, ...form })
  expectStatus(attacker, 'a hostile file', reply, [201, 400, 413, 415])
  if (reply.status !== 201) return
  const [{ url, mime }] = JSON.parse(reply.text)
  const { headers, status } = await attacker.send(url)
  if (status !== 200) return
  if (headers['x-content-type-options'] !== 'nosniff') attacker.report(`${url} may be sniffed`)
  if (/svg|html|xml/.test(mime) && headers['content-disposition'] !== 'attachment')
    attacker.report(`${url} (${mime}) is served as a page`)
}

/** Forms that end in the middle, have no boundary, or have thousands of parts or headers. */
async function breakForms(attacker: Attacker): Promise<void> {
  const part = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nhalf'
  const head = (length: number, type = 'multipart/form-data; boundary=b') =>
    `POST /api/upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${attacker.userToken}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
  const fields = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n'.repeat(3_000)
  const headers = `--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n${'X-A: b\r\n'.repeat(3_000)}\r\nx\r\n--b--\r\n`
  const complete = head(headers.length) + headers
  const bytes = pick(attacker, [
    head(part.length) + part,
    `${head(part.length + 4, 'multipart/form-data')}${part}\r\n--`,
    `${head(fields.length + 5)}${fields}--b--`,
    complete,
    `${head(100_000)}${part}`,
  ])
  const text = await attacker.sendBytes(bytes)
  if (bytes !== complete && /^HTTP\/1\.1 2/.test(text))
    attacker.report(`A broken form was accepted: ${text.slice(0, 100)}`)
}

export const FILES_AND_FORMS: readonly Attack[] = [
  { name: 'hostile files', pauseMs: 300, run: uploadHostileFiles },
  { name: 'broken forms', pauseMs: 300, run: breakForms },
]
