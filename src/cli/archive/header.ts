/** The first line of an archive: what made it, for which model, and how much of everything follows. */
import { createHash } from 'node:crypto'
import { ArchiveError, type Fields, type Line } from '../../documents/transfer/archive-line.ts'
import type { Model } from '../../model/model.ts'
import { serializeModel } from '../../model/serialize-model.ts'
import { isObject } from '../../project/values.ts'

/** Raised when archives change in a way that an older Octavo would misread. */
const FORMAT = 1

export interface Header {
  readonly madeAt: string
  /** Equal models have equal signatures. */
  readonly model: string
  /** Whether the bytes of files are in it, not only their records. */
  readonly media: boolean
  /** Rows by uid of their content-type, and edges. */
  readonly rows: Readonly<Record<string, number>>
  readonly edges: number
  /** The highest ids given so far: to rows, by content-type, and to component entries. */
  readonly rowIds: Readonly<Record<string, number>>
  readonly entryIds: number
}

export const signatureOf = (model: Model) => createHash('sha256').update(serializeModel(model)).digest('hex')

export const headerLine = (header: Header): Fields => ({ kind: 'octavo', format: FORMAT, ...header })

/** The header that the first line of an archive is. */
export function headerFrom(line: Line): Header {
  if (line.fields.kind !== 'octavo') throw new ArchiveError('The file is not an archive of Octavo')
  const format = line.count('format')
  if (format > FORMAT)
    throw new ArchiveError(`The archive was made by a newer Octavo (format ${format}): update Octavo`)
  return {
    madeAt: line.text('madeAt'),
    model: line.text('model'),
    media: line.boolean('media'),
    rows: countsIn(line, 'rows'),
    edges: line.count('edges'),
    rowIds: countsIn(line, 'rowIds'),
    entryIds: line.count('entryIds'),
  }
}

function countsIn(line: Line, name: string): Record<string, number> {
  const counts = line.object(name)
  if (!isObject(counts.fields)) throw line.wrong(`has no ${name}`)
  return Object.fromEntries(Object.keys(counts.fields).map((uid) => [uid, counts.count(uid)]))
}

export const totalOf = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)
