/** `upload_file`: a file in the arguments of a call, for the media attributes of documents. */
import { Readable } from 'node:stream'
import { errors } from '../../../errors.ts'
import { parseFileInfos } from '../../../media/files/file-info.ts'
import { displayName } from '../../../media/files/names.ts'
import type { Library } from '../../../media/library.ts'
import { FILE } from '../../../model/model.ts'
import type { Values } from '../../../project/values.ts'
import { permittedScope } from '../../auth/permitted.ts'
import { openObject, string } from '../../openapi/schemas/schema.ts'
import { presentFile } from '../../upload/file-record.ts'
import type { LimitUploads } from '../../upload/routes.ts'
import { argumentsSchema } from '../argument-schemas.ts'
import { stringIn } from '../check-arguments.ts'
import type { Tool } from '../tool.ts'

export const uploadFile = (library: Library, limitUploads: LimitUploads): Tool => ({
  name: 'upload_file',
  title: 'Upload a file',
  description:
    'Stores a file and returns its record. Use its documentId in the media attributes of documents. Give the content as `text`, or as `base64`.',
  effect: 'add',
  argumentsFor({ scope }) {
    if (!scope.may(FILE, 'upload')) return null
    return argumentsSchema(
      {
        name: { ...string, description: 'The name of the file with its extension, such as menu.pdf.' },
        text: { ...string, description: 'The content of a text file.' },
        base64: { ...string, description: 'The content of any other file, in base64.' },
        alternativeText: { ...string, description: 'What an image shows, for those who cannot see it.' },
        caption: string,
        folder: { ...string, description: 'Such as /menus/2026.' },
      },
      ['name'],
    )
  },
  result: openObject({ data: { type: 'object' } }, ['data']),
  async run({ server, caller, requestId }, given) {
    const { authorization, client, userAgent } = caller
    const scope = await permittedScope({ server, authorization }, FILE, 'upload')
    const content = contentIn(given)
    const { maxFileSize } = library.config
    if (content.length > maxFileSize) throw errors.tooLarge(`${maxFileSize} bytes in one file`)
    const { alternativeText, caption, folder } = given
    const infos = parseFileInfos([{ alternativeText, caption, folder }])
    const by = { scope, origin: { requestId, address: client.address(), userAgent } }
    return limitUploads(async () => {
      const stage = library.staging.open()
      try {
        const staged = await stage.receive(Readable.from([content]))
        const file = { ...staged, name: displayName(stringIn(given, 'name')) }
        const [created] = await library.create([file], infos, null, by, stage)
        return { data: await presentFile(created, library) }
      } finally {
        await stage.clear()
      }
    })
  },
})

function contentIn(given: Values): Buffer {
  const text = stringIn(given, 'text')
  const base64 = stringIn(given, 'base64')
  if (text !== undefined && base64 === undefined) return Buffer.from(text)
  if (text !== undefined || base64 === undefined)
    throw errors.invalidArgument('base64', 'give the content either as base64 or as text')
  // Node would skip other characters.
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(base64)) throw errors.invalidArgument('base64', 'is not valid base64')
  return Buffer.from(base64, 'base64')
}
