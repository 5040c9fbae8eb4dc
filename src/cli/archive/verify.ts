/** Reads an archive before the import: checks that it is complete, that every line is valid and fits the model. */
import { parseAccessLine } from '../../access/transfer.ts'
import { createStateReader, HISTORY_LINE } from '../../documents/history/transfer.ts'
import { ArchiveError, type ArchiveLine, type UnknownNames } from '../../documents/transfer/archive-line.ts'
import { createEdgeReader } from '../../documents/transfer/edges.ts'
import { readRow } from '../../documents/transfer/rows.ts'
import { parseChunk } from '../../media/transfer.ts'
import type { Model } from '../../model/model.ts'
import { createLayout, type Layout, ownedRelations, relationKeyText } from '../../store/tables/layout.ts'
import { readArchive } from './archive-file.ts'
import { type Header, parseHeader, signatureOf, totalOf } from './header.ts'
import type { Progress } from './progress.ts'

export interface ArchiveSummary {
  readonly header: Header
  /** Content-types, components and attributes that the project does not have, with their number in the archive. */
  readonly unknown: ReadonlyMap<string, number>
  /** Locales that the project does not have, with their number of rows. */
  readonly unknownLocales: ReadonlyMap<string, number>
  /** The highest id of a component entry. */
  readonly highestEntry: number
  /** The number of files, including their formats. */
  readonly files: number
  /** The number of lines that are not parts of files. */
  readonly records: number
}

/** Reads the whole archive; throws an ArchiveError at the first invalid line. */
export async function verifyArchive(file: string, model: Model, progress: Progress): Promise<ArchiveSummary> {
  const layout = layoutOf(model)
  const unknown = new Map<string, number>()
  const unknownLocales = new Map<string, number>()
  const unknownNames: UnknownNames = { add: (name) => void count(unknown, name) }
  const edgeFrom = createEdgeReader(layout, unknownNames)
  const stateFrom = createStateReader(layout)
  const rows = new Map<string, number>()
  let header: Header | null = null
  let [lines, edges, files, chunks, highestEntry] = [0, 0, 0, 0, 0]
  let [ended, isOfSameModel] = [false, false]

  const onEntryId = (entry: number) => {
    highestEntry = Math.max(highestEntry, entry)
  }
  const check = (line: ArchiveLine) => {
    switch (line.kind) {
      case 'row': {
        count(rows, line.string('type'))
        const row = readRow(line, { layout, unknown: unknownNames, isOfSameModel, onEntryId })
        if (row && row.locale !== '' && !model.locales.codes.includes(row.locale))
          count(unknownLocales, row.locale)
        return
      }
      case 'edge':
        edges++
        edgeFrom(line)
        return
      case HISTORY_LINE:
        stateFrom(line)
        return
      case 'bytes':
        chunks++
        if (parseChunk(line).sha256 !== null) files++
        return
      default:
        if (!parseAccessLine(line)) throw line.error(`has the unknown kind ${line.kind}`)
    }
  }

  for await (const line of readArchive(file)) {
    if (!header) {
      header = parseHeader(line)
      isOfSameModel = header.model === signatureOf(model)
      progress.part('Checked', totalOf(header.rows) + header.edges)
    } else if (ended) throw line.error('follows the last line')
    else if (line.kind === 'end') {
      ended = true
      if (line.integer('lines') !== lines) throw line.error('has the wrong number of lines')
    } else {
      check(line)
      lines++
      if (line.kind === 'row' || line.kind === 'edge') progress.step()
    }
  }
  if (!header) throw new ArchiveError('The archive is empty')
  if (!ended) throw new ArchiveError('The archive is incomplete: its last line is missing')
  const mismatch = Object.entries(header.rows).find(([uid, number]) => (rows.get(uid) ?? 0) !== number)
  if (mismatch)
    throw new ArchiveError(
      `The archive does not have as many rows of ${mismatch[0]} as its header says (${mismatch[1]})`,
    )
  if (edges !== header.edges)
    throw new ArchiveError(`The archive does not have as many relations as its header says (${header.edges})`)
  return { header, unknown, unknownLocales, highestEntry, files, records: lines - chunks }
}

const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

/** Nothing is written with this layout, so relations may have any number. */
const layoutOf = (model: Model): Layout =>
  createLayout(model, new Map(ownedRelations(model).map((key, index) => [relationKeyText(key), index])))
