/** File records as the upload interface shows them: with signed addresses where needed, and where files are shown. */
import { errors } from '../errors.ts'
import type { Library } from '../media/library.ts'
import { rowsShowing } from '../media/related.ts'
import { keyOfUrl } from '../media/storage.ts'
import { isObject, type Values } from '../project/values.ts'
import type { Param } from '../query/params.ts'
import type { Scope } from '../query/scope.ts'
import type { Server } from './server.ts'

type FileRecord = Values

/** The record of a file (JSON text, or parsed) with addresses its reader can use. */
export async function presentFile(given: unknown, { storage }: Library): Promise<FileRecord> {
  const file: unknown = typeof given === 'string' ? JSON.parse(given) : given
  if (!isObject(file)) throw new Error('A file record is an object')
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

/** At most this many documents are shown with a file. */
const MOST_RELATED = 100

/** `related`: the published documents that show a file, of the types the caller may list; absent unless asked for. */
export async function relatedTo(
  file: string,
  populate: Param | undefined,
  server: Server,
  scope: Scope,
): Promise<{ related?: unknown[] }> {
  if (populate === undefined) return {}
  if (!asksForRelated(populate))
    throw errors.invalidParameter('populate', null, 'a file has only "related" to populate')
  const { documentId }: { documentId: string } = JSON.parse(file)
  const shown = await rowsShowing(server.store, server.layout(), documentId, MOST_RELATED)
  const lists = await Promise.all(
    [...shown].map(async ([type, ids]) => {
      if (!scope.may(type.uid, 'find')) return []
      const named = ids.map((id, index) => `filters[id][$in][${index}]=${id}`).join('&')
      const query = `${named}&pagination[limit]=${ids.length}${type.localized ? '&locale=*' : ''}`
      const { data } = await server.reads().list(type, query, scope)
      const documents: FileRecord[] = JSON.parse(data)
      return documents.map((document) => {
        const { meta, ...rest } = document
        return { ...(type.attributes.has('meta') ? document : rest), __type: type.uid }
      })
    }),
  )
  return { related: lists.flat() }
}

const asksForRelated = (populate: Param): boolean =>
  populate === '*' ||
  populate === 'related' ||
  (Array.isArray(populate) && populate.length === 1 && populate[0] === 'related') ||
  (isObject(populate) && Object.keys(populate).join() === 'related')
