/** The first reading of an archive: is it whole, is every line as it should be, does it fit the model? Nothing is written. */
import { parseAccessLine } from '../../access/transfer.ts'
import { ArchiveError, type Line, type Unknown } from '../../documents/transfer/archive-line.ts'
import { createEdgeReader } from '../../documents/transfer/edges.ts'
import { rowFrom } from '../../documents/transfer/rows.ts'
import { parseChunk } from '../../media/transfer.ts'
import type { Model } from '../../model/model.ts'
import { createLayout, type Layout, ownedRelations, relationKeyText } from '../../store/tables/layout.ts'
import { type Header, headerFrom, totalOf } from './header.ts'
import { readArchive } from './lines.ts'
import type { Progress } from './progress.ts'

export interface Survey {
  readonly header: Header
  /** Content-types, components and attributes that the project does not have, with how often the archive has them. */
  readonly unknown: ReadonlyMap<string, number>
  /** Locales that the project does not have, with how many rows are in them. */
  readonly strangeLocales: ReadonlyMap<string, number>
  /** The highest id of a component entry. */
  readonly highestEntry: number
  /** How many files there are, with their formats. */
  readonly files: number
  /** How many lines are not of files. */
  readonly records: number
}

/** Reads all of it once; throws an ArchiveError at the first line that is wrong. */
export async function survey(file: string, model: Model, progress: Progress): Promise<Survey> {
  const layout = layoutOf(model)
  const unknown = new Map<string, number>()
  const strangeLocales = new Map<string, number>()
  const noted: Unknown = { note: (what) => void count(unknown, what) }
  const edgeFrom = createEdgeReader(layout, noted)
  const rows = new Map<string, number>()
  let header: Header | null = null
  let [lines, edges, files, pieces, highestEntry] = [0, 0, 0, 0, 0]
  let ended = false

  const met = (entry: number) => {
    highestEntry = Math.max(highestEntry, entry)
  }
  const look = (line: Line) => {
    switch (line.kind) {
      case 'row': {
        count(rows, line.text('type'))
        const row = rowFrom(line, { layout, unknown: noted, met })
        if (row && row.locale !== '' && !model.locales.codes.includes(row.locale))
          count(strangeLocales, row.locale)
        return
      }
      case 'edge':
        edges++
        edgeFrom(line)
        return
      case 'bytes':
        pieces++
        if (parseChunk(line).sha256 !== null) files++
        return
      default:
        if (!parseAccessLine(line)) throw line.wrong(`is of the unknown kind ${line.kind}`)
    }
  }

  for await (const line of readArchive(file)) {
    if (!header) {
      header = headerFrom(line)
      progress.part('Checked', totalOf(header.rows) + header.edges)
    } else if (ended) throw line.wrong('comes after the end')
    else if (line.kind === 'end') {
      ended = true
      if (line.count('lines') !== lines) throw line.wrong('does not count the lines before it')
    } else {
      look(line)
      lines++
      if (line.kind === 'row' || line.kind === 'edge') progress.step()
    }
  }
  if (!header) throw new ArchiveError('The archive is empty')
  if (!ended) throw new ArchiveError('The archive is cut off: its last line is missing')
  const short = Object.entries(header.rows).find(([uid, number]) => (rows.get(uid) ?? 0) !== number)
  if (short)
    throw new ArchiveError(`The archive does not have the ${short[1]} rows of ${short[0]} it promises`)
  if (edges !== header.edges)
    throw new ArchiveError('The archive does not have all relations that it promises')
  return { header, unknown, strangeLocales, highestEntry, files, records: lines - pieces }
}

const count = (counts: Map<string, number>, what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)

/** Any numbers will do for relations of a database that nothing is written to. */
const layoutOf = (model: Model): Layout =>
  createLayout(model, new Map(ownedRelations(model).map((key, index) => [relationKeyText(key), index])))
