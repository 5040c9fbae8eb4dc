/** Opens an export of Strapi: a tar file, compressed and encrypted or not, or the unpacked folder. */
import { createDecipheriv, scryptSync } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { ArchiveError } from '../../../documents/transfer/archive-line.ts'
import { archiveErrorOf } from '../../archive/archive-file.ts'
import { UsageError } from '../../error-message.ts'
import { ByteReader } from './byte-reader.ts'
import { filesOfTar, isTar, type PackedFile } from './tar.ts'

export type ArchiveFormat = 'octavo' | 'strapi folder' | 'strapi tar' | 'strapi encrypted'

/** The files of an export, in the order in which they are stored. May be called several times. */
export type PackedFiles = () => AsyncIterable<PackedFile>

const HEAD_BYTES = 1024

/** Recognises an archive by its first bytes. Encrypted exports have no mark: they count as such by name or by `--key`. */
export async function formatOf(file: string, hasKey: boolean): Promise<ArchiveFormat> {
  const found = await stat(file).catch((failure: unknown) => {
    throw archiveErrorOf(file, failure)
  })
  if (found.isDirectory()) return 'strapi folder'
  if (hasKey || file.endsWith('.enc')) return 'strapi encrypted'
  const head = await headOf(file)
  if (isTar(head)) return 'strapi tar'
  if (isGzip(head)) {
    const inside = await decompressedHead(file)
    if (isTar(inside)) return 'strapi tar'
    // Our archives are lines of JSON.
    if (inside.length === 0 || inside[0] === '{'.charCodeAt(0)) return 'octavo'
    throw new ArchiveError(`${file} is damaged, or is not an Octavo archive or an export of Strapi`)
  }
  throw new ArchiveError(
    `${file} is not an Octavo archive or an export of Strapi. If it is an encrypted export, pass its key with --key.`,
  )
}

/** The files of an export. `key` is called only if the export is encrypted. */
export async function openPackedFiles(
  file: string,
  format: Exclude<ArchiveFormat, 'octavo'>,
  key: () => Promise<string>,
): Promise<PackedFiles> {
  if (format === 'strapi folder') return () => filesOfFolder(file)
  const decrypt = format === 'strapi encrypted' ? decipherOf(await key()) : null
  const encryptedHead = await headOf(file)
  const head = decrypt ? decryptedHead(decrypt, encryptedHead) : encryptedHead
  const compressed = isGzip(head)
  if (!compressed && !isTar(head))
    throw new UsageError(
      decrypt
        ? `Cannot decrypt ${file}: the key is wrong, or the file is not an encrypted export of Strapi`
        : `${file} is not an export of Strapi`,
    )
  return () => filesOfTar(bytesOf(file, decrypt, compressed))
}

/** As Strapi encrypts exports. The cipher has no authentication: damage is detected by the layers inside. */
const ALGORITHM = 'aes-128-ecb'

function decipherOf(key: string) {
  const secret = scryptSync(key, '', 16)
  return () => createDecipheriv(ALGORITHM, secret, null)
}

function decryptedHead(decrypt: ReturnType<typeof decipherOf>, head: Buffer): Buffer {
  const decipher = decrypt()
  decipher.setAutoPadding(false)
  return decipher.update(head)
}

async function* bytesOf(
  file: string,
  decrypt: ReturnType<typeof decipherOf> | null,
  compressed: boolean,
): AsyncGenerator<Uint8Array> {
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  const output = compressed ? createGunzip({ chunkSize: 256 * 1024 }) : unchanged()
  const done = decrypt ? pipeline(source, decrypt(), output) : pipeline(source, output)
  // The reader of the output sees the failure too.
  done.catch(() => {})
  try {
    for await (const chunk of output) yield chunk
    await done
  } catch (failure) {
    const isDecryption =
      failure instanceof Error && 'code' in failure && String(failure.code).startsWith('ERR_OSSL')
    throw isDecryption
      ? new ArchiveError(`${file} is damaged or incomplete: it cannot be decrypted to its end`)
      : archiveErrorOf(file, failure)
  } finally {
    source.destroy()
    output.destroy()
  }
}

const unchanged = () => new Transform({ transform: (chunk, _encoding, done) => done(null, chunk) })

const isGzip = (head: Buffer) => head[0] === 0x1f && head[1] === 0x8b

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file).catch((failure: unknown) => {
    throw archiveErrorOf(file, failure)
  })
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** The start of the content of a gzip file, as far as it can be decompressed. */
async function decompressedHead(file: string): Promise<Buffer> {
  const reader = new ByteReader(createReadStream(file).pipe(createGunzip({ chunkSize: 1024 })))
  try {
    return await reader.take(512)
  } catch {
    return Buffer.alloc(0)
  } finally {
    await reader.close()
  }
}

/** In the order in which Strapi packs them, and by name within a folder. */
const FOLDERS = [
  'schemas',
  'entities',
  'assets/metadata',
  'assets/uploads',
  'links',
  'configuration',
] as const

async function* filesOfFolder(folder: string): AsyncGenerator<PackedFile> {
  for (const part of FOLDERS) {
    const entries = await readdir(join(folder, part), { withFileTypes: true }).catch(() => [])
    const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
    for (const name of names.sort()) yield packedFile(folder, `${part}/${name}`)
  }
  const metadata = await stat(join(folder, 'metadata.json')).catch(() => null)
  if (metadata?.isFile()) yield packedFile(folder, 'metadata.json')
}

async function packedFile(folder: string, path: string): Promise<PackedFile> {
  const file = join(folder, path)
  return { path, size: (await stat(file)).size, bytes: createReadStream(file) }
}
