/** Files that attackers send, as bytes. */
import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import { plain } from './test-images.ts'

export const scriptInSvg = Buffer.from(
  '<?xml version="1.0"?>\n<!-- a drawing -->\n<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="alert(1)"><script>alert(document.domain)</script></svg>',
)

export const scriptInHtml = Buffer.from('<!DOCTYPE html><html><script>alert(document.domain)</script></html>')

/** An SVG that expands to gigabytes where entities are expanded. */
export const entityBomb = Buffer.from(
  `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, i) => {
    const [name, inner] = [String.fromCharCode(98 + i), String.fromCharCode(97 + i)]
    return `<!ENTITY ${name} "${`&${inner};`.repeat(10)}">`
  }).join('')}]><svg xmlns="http://www.w3.org/2000/svg"><text>&j;</text></svg>`,
)

/** The first bytes of a GIF, followed by a script. */
export const gifAndScript = Buffer.from('GIF89a/*\x00\x01*/=1;alert(document.domain)//')

/** A complete PNG followed by an HTML page. */
export const pngAndPage = async () => Buffer.concat([await plain(40, 30).png().toBuffer(), scriptInHtml])

const chunk = (type: string, content: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A PNG of a few kilobytes whose header declares `width` by `height` pixels. */
export function pixelBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A zip whose one entry, the one that names the type of an office document, unpacks to `size` bytes. */
export function zipBomb(size: number): Buffer {
  const name = Buffer.from('[Content_Types].xml')
  const packed = deflateRawSync(Buffer.alloc(size))
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(8, 8)
  header.writeUInt32LE(packed.length, 18)
  header.writeUInt32LE(size, 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name, packed])
}
