/** The first line of an archive: its format, its model, and how much content follows. */
import { createHash } from 'node:crypto'
import { ArchiveError, type ArchiveLine, type Fields } from '../../documents/transfer/archive-line.ts'
import type { Model } from '../../model/model.ts'
import { serializeModel } from '../../model/serialize-model.ts'
import { isObject } from '../../project/values.ts'

/** Incremented when older versions of Octavo could not read new archives correctly. */
const FORMAT = 1

export interface Header {
  readonly madeAt: string
  /** Equal models have equal signatures. */
  readonly model: string
  /** Whether the archive contains the bytes of files, not only their records. */
  readonly media: boolean
  /** Number of rows by uid of their content-type. */
  readonly rows: Readonly<Record<string, number>>
  readonly edges: number
  /** The highest row id so far, by content-type. */
  readonly rowIds: Readonly<Record<string, number>>
  /** The highest id of a component entry so far. */
  readonly entryIds: number
}

export const signatureOf = (model: Model) => createHash('sha256').update(serializeModel(model)).digest('hex')

export const headerLine = (header: Header): Fields => ({ kind: 'octavo', format: FORMAT, ...header })

export function parseHeader(line: ArchiveLine): Header {
  if (line.fields.kind !== 'octavo') throw new ArchiveError('The file is not an Octavo archive')
  const format = line.integer('format')
  if (format > FORMAT)
    throw new ArchiveError(
      `The archive was created by a newer version of Octavo (format ${format}): update Octavo`,
    )
  return {
    madeAt: line.string('madeAt'),
    model: line.string('model'),
    media: line.boolean('media'),
    rows: countsIn(line, 'rows'),
    edges: line.integer('edges'),
    rowIds: countsIn(line, 'rowIds'),
    entryIds: line.integer('entryIds'),
  }
}

function countsIn(line: ArchiveLine, name: string): Record<string, number> {
  const counts = line.object(name)
  if (!isObject(counts.fields)) throw line.invalid(name)
  return Object.fromEntries(Object.keys(counts.fields).map((uid) => [uid, counts.integer(uid)]))
}

export const totalOf = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)
