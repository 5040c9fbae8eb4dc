/** Reads an upload request part by part: files are streamed to temporary files, fields are collected within limits. */
import type { Readable } from 'node:stream'
import { errors } from '../errors.ts'
import { checkInput } from '../model/check-input.ts'
import type { UploadConfig } from '../project/config/config.ts'
import { displayName } from './files/names.ts'
import type { Stage, StagedFile } from './storage/staging.ts'

/** A part of a multipart body, as the parser returns it. */
export type Part =
  | {
      readonly type: 'field'
      readonly fieldname: string
      readonly value: unknown
      readonly valueTruncated: boolean
    }
  | {
      readonly type: 'file'
      readonly fieldname: string
      readonly filename: string | undefined
      readonly file: Readable & { readonly truncated?: boolean }
    }

export interface ReceivedFile extends StagedFile {
  readonly name: string
}

export interface ReceivedUpload {
  readonly files: readonly ReceivedFile[]
  /** Every value of each field, in the order received. */
  readonly fields: ReadonlyMap<string, readonly unknown[]>
}

/** Limits for the multipart parser. */
export const limitsOf = (config: UploadConfig) => ({
  fileSize: config.maxFileSize,
  files: config.maxFiles,
  fields: config.maxFiles + 20,
  parts: 2 * config.maxFiles + 20,
  fieldNameSize: 100,
  fieldSize: 65_536,
  headerPairs: 50,
})

/**
 * Receives an upload into `stage`. A file that exceeds the limit is an error when it ends; `onTooLarge` is called as soon
 * as it does, and may abort it early.
 */
export async function receiveUpload(
  parts: AsyncIterable<Part>,
  stage: Stage,
  config: UploadConfig,
  onTooLarge: (abort: () => void) => void,
): Promise<ReceivedUpload> {
  const files: ReceivedFile[] = []
  const fields = new Map<string, unknown[]>()
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        if (part.valueTruncated) throw errors.tooLarge('64 kB in one field')
        // The parser replaces invalid UTF-8 with this character.
        if (JSON.stringify(part.value)?.includes('\ufffd'))
          throw errors.invalid(`The field "${part.fieldname}" is not valid UTF-8`)
        checkInput(part.value, `The field "${part.fieldname}"`)
        fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), part.value])
      } else if (part.fieldname === 'files' || part.fieldname === 'files[]') {
        part.file.once('limit', () => onTooLarge(() => part.file.destroy(tooLarge(config))))
        const staged = await stage.receive(part.file)
        if (part.file.truncated) throw tooLarge(config)
        // Browsers send a file input in which no file was chosen as an empty part without a name.
        if (part.filename || staged.size > 0) files.push({ ...staged, name: displayName(part.filename) })
      } else {
        throw errors.invalid(`Files must be sent in the field "files", not "${part.fieldname}"`)
      }
    }
  } catch (error) {
    throw asApiError(error, config)
  }
  return { files, fields }
}

const tooLarge = (config: UploadConfig) => errors.tooLarge(`${config.maxFileSize} bytes in one file`)

/** Maps the parser's errors. A malformed body is an error without a code. */
function asApiError(error: unknown, config: UploadConfig): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  switch (code) {
    case 'FST_REQ_FILE_TOO_LARGE':
      return tooLarge(config)
    case 'FST_FILES_LIMIT':
      return errors.tooLarge(`${config.maxFiles} files in one request`)
    case 'FST_FIELDS_LIMIT':
    case 'FST_PARTS_LIMIT':
      return errors.tooLarge('the number of fields an upload may have')
    case 'FST_PROTO_VIOLATION':
    case 'FST_INVALID_JSON_FIELD_ERROR':
    case 'FST_MP_PREMATURE_CLOSE':
    case 'ERR_STREAM_PREMATURE_CLOSE':
    case 'ECONNRESET':
      return malformed()
    default:
      return error instanceof Error && error.name === 'Error' && code === null ? malformed() : error
  }
}

const malformed = () => errors.invalid('The multipart body is malformed or incomplete')
