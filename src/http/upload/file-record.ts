/** File records in responses of the upload routes: with signed urls if the storage is private. */
import type { Library } from '../../media/library.ts'
import { keyOfUrl } from '../../media/storage/storage.ts'
import { isObject, type Values } from '../../project/values.ts'

type FileRecord = Values

/** Accepts JSON text or a parsed record. */
export async function presentFile(given: unknown, { storage }: Library): Promise<FileRecord> {
  const file: unknown = typeof given === 'string' ? JSON.parse(given) : given
  if (!isObject(file)) throw new Error('A file record must be an object')
  const { sign } = storage
  if (!sign) return { ...file, isUrlSigned: false }
  const signed = async (one: FileRecord) =>
    typeof one.url === 'string' ? { ...one, url: await sign(keyOfUrl(one.url)) } : one
  const formats = isObject(file.formats) ? file.formats : null
  return {
    ...(await signed(file)),
    ...(formats && { formats: Object.fromEntries(await signAll(formats, signed)) }),
    isUrlSigned: typeof file.url === 'string',
  }
}

const signAll = (formats: FileRecord, signed: (one: FileRecord) => Promise<FileRecord>) =>
  Promise.all(
    Object.entries(formats).map(
      async ([name, one]): Promise<[string, unknown]> => [name, isObject(one) ? await signed(one) : one],
    ),
  )
