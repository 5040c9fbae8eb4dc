/**
 * What an export of Strapi consists of, part by part. An archive and a database of Strapi give the same parts, so the
 * import does not know which of them it reads.
 */
import { ArchiveError, ArchiveLine, type Fields } from '../../../documents/transfer/archive-line.ts'
import { isObject } from '../../../project/values.ts'
import { linesOf } from '../../archive/lines.ts'
import type { PackedFiles } from './packed-files.ts'
import type { PackedFile } from './tar.ts'

/** One end of a link. */
export interface LinkEnd {
  /** uid of a content-type or component. */
  readonly type: string
  /** The numeric id of the row or component. */
  readonly ref: number
  readonly field: string | null
  /** The position in the list of this end; null if it has none. */
  readonly pos: number | null
}

export type Part =
  | { readonly kind: 'metadata'; readonly createdAt: string | null; readonly version: string }
  | { readonly kind: 'schema'; readonly uid: string; readonly schema: Fields }
  | {
      readonly kind: 'entity'
      readonly type: string
      readonly id: number
      /** Its values; parsed when called. */
      readonly data: () => ArchiveLine
    }
  | { readonly kind: 'link'; readonly left: LinkEnd; readonly right: LinkEnd }
  | { readonly kind: 'setting'; readonly key: string; readonly value: unknown }
  | { readonly kind: 'webhook'; readonly value: Fields }
  | {
      readonly kind: 'file'
      readonly name: string
      readonly size: number
      readonly bytes: AsyncIterable<Uint8Array>
    }
  /** The size that Strapi has recorded for a file, in bytes; null if it has recorded none. */
  | { readonly kind: 'file size'; readonly name: string; readonly size: number | null }

export type PartKind = Part['kind']

/** Reads the parts of the given kinds. May be called several times, and gives the same parts each time. */
export type ReadParts = (kinds: readonly PartKind[]) => AsyncIterable<Part>

/** The parts of an export that was written to files. */
export const partsOf = (files: PackedFiles): ReadParts =>
  async function* (kinds) {
    for await (const file of files()) yield* partsOfFile(file, kinds)
  }

async function* partsOfFile(file: PackedFile, kinds: readonly PartKind[]): AsyncGenerator<Part> {
  const wants = (kind: PartKind) => kinds.includes(kind)
  const [folder = '', ...rest] = pathInExport(file.path)
  switch (folder) {
    case 'metadata.json':
      if (wants('metadata')) yield metadataOf(await jsonOf(file))
      return
    case 'schemas':
      if (wants('schema')) for await (const line of jsonLines(file)) yield schemaOf(line)
      return
    case 'entities':
      if (wants('entity')) for await (const { text, at } of textLines(file)) yield entityOf(text, at)
      return
    case 'links':
      if (wants('link'))
        for await (const line of jsonLines(file)) {
          const link = linkOf(line)
          if (link) yield link
        }
      return
    case 'configuration':
      if (wants('setting') || wants('webhook'))
        for await (const line of jsonLines(file)) {
          const part = configurationOf(line)
          if (part && wants(part.kind)) yield part
        }
      return
    case 'assets':
      yield* assetOf(file, rest, wants)
  }
}

const TOP_LEVEL = new Set(['metadata.json', 'schemas', 'entities', 'links', 'configuration', 'assets'])

/** The names in a path; none for a file that is not part of the export. An archive packed by hand may begin with a folder. */
function pathInExport(path: string): readonly string[] {
  const names = path.split('/')
  // Some systems add hidden files.
  if (names.at(-1)?.startsWith('.')) return []
  return TOP_LEVEL.has(names[0] ?? '') ? names : names.slice(1)
}

async function* assetOf(
  file: PackedFile,
  [folder, ...names]: readonly string[],
  wants: (kind: PartKind) => boolean,
): AsyncGenerator<Part> {
  const name = names.join('/')
  if (folder === 'uploads' && wants('file')) yield { kind: 'file', name, size: file.size, bytes: file.bytes }
  if (folder === 'metadata' && wants('file size')) {
    const metadata = await jsonOf(file)
    const { sizeInBytes, size } = metadata.fields
    yield {
      kind: 'file size',
      name: name.replace(/\.json$/, ''),
      size: typeof sizeInBytes === 'number' ? sizeInBytes : typeof size === 'number' ? size * 1000 : null,
    }
  }
}

function metadataOf(line: ArchiveLine): Part {
  const { createdAt } = line.fields
  const version = line.object('strapi').string('version')
  return { kind: 'metadata', createdAt: typeof createdAt === 'string' ? createdAt : null, version }
}

function schemaOf(line: ArchiveLine): Part {
  return { kind: 'schema', uid: line.string('uid'), schema: line.fields }
}

/** How Strapi writes entities. Others are read too, but more slowly. */
const ENTITY = /^\{"type":"([^"\\]*)","id":(\d{1,15}),"data":\{/

function entityOf(text: string, at: string): Part {
  const line = () => new ArchiveLine(parse(text, at), at)
  const [, type, id] = ENTITY.exec(text) ?? []
  return {
    kind: 'entity',
    type: type ?? line().string('type'),
    id: id === undefined ? line().integer('id', 1) : Number(id),
    data: () => line().object('data'),
  }
}

/** Null for a link by documentId, such as those between the locales of a document, which carry nothing. */
function linkOf(line: ArchiveLine): Part | null {
  const [left, right] = [line.object('left'), line.object('right')]
  if (left.fields.field === 'localizations') return null
  return { kind: 'link', left: linkEndOf(left), right: linkEndOf(right) }
}

function linkEndOf(end: ArchiveLine): LinkEnd {
  const { pos, ref } = end.fields
  return {
    type: end.string('type'),
    // A link by anything else than the id of a row is reported as one to a missing row.
    ref: typeof ref === 'number' && Number.isSafeInteger(ref) ? ref : 0,
    field: end.stringOrNull('field'),
    pos: typeof pos === 'number' && Number.isFinite(pos) ? pos : null,
  }
}

function configurationOf(line: ArchiveLine): Part | null {
  const value = line.object('value')
  if (line.string('type') === 'webhook') return { kind: 'webhook', value: value.fields }
  return { kind: 'setting', key: value.string('key'), value: value.fields.value }
}

async function* jsonLines(file: PackedFile): AsyncGenerator<ArchiveLine> {
  for await (const { text, at } of textLines(file)) yield new ArchiveLine(parse(text, at), at)
}

async function* textLines(file: PackedFile): AsyncGenerator<{ text: string; at: string }> {
  let number = 0
  for await (const line of linesOf(file.bytes)) {
    number++
    const text = number === 1 ? withoutByteOrderMark(line) : line
    if (text.trim() !== '') yield { text, at: `Line ${number} of ${file.path}` }
  }
}

/** Files of one JSON object describe the export or one of its files; a longer one would only fill the memory. */
const MAX_OBJECT_BYTES = 16 * 1024 * 1024

async function jsonOf(file: PackedFile): Promise<ArchiveLine> {
  if (file.size > MAX_OBJECT_BYTES) throw new ArchiveError(`${file.path} of the archive is too long`)
  const chunks: Uint8Array[] = []
  for await (const chunk of file.bytes) chunks.push(chunk)
  const value = parse(withoutByteOrderMark(Buffer.concat(chunks).toString()), file.path)
  if (!isObject(value)) throw new ArchiveError(`${file.path} of the archive is not an object`)
  return new ArchiveLine(value, file.path)
}

const withoutByteOrderMark = (text: string) => text.replace(/^\uFEFF/, '')

function parse(text: string, at: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ArchiveError(`${at} of the archive is not JSON: the archive is damaged`)
  }
}
