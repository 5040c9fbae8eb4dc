/** However an export was packed, it has the same parts: chunks, order, line endings, folders and hidden files do not matter. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { entity, exportFiles, pack, typeSchema } from '../../../../test/strapi/packed-export.ts'
import { type Part, partsOf } from './parts.ts'
import { filesOfTar } from './tar.ts'

const LONG_NAME = `${'long-name-'.repeat(15)}.png`

const files = exportFiles({
  schemas: [typeSchema('tag', { name: { type: 'string' } }), typeSchema('page', {})],
  entities: [1, 2, 3, 4, 5].map((id) => entity('api::tag.tag', id, { name: `Größe ${id}\u2028` })),
  links: [1, 2, 3].map((ref) => ({
    kind: 'relation.basic',
    relation: 'manyToOne',
    left: { type: 'api::tag.tag', ref, field: 'page', pos: ref },
    right: { type: 'api::page.page', ref: 1 },
  })),
  configuration: [
    { type: 'core-store', value: { key: 'plugin_i18n_default_locale', value: 'en' } },
    { type: 'webhook', value: { id: 1, name: 'build', url: 'https://example.test' } },
  ],
  files: { 'one.png': 'first', [LONG_NAME]: 'second' },
})

interface Packing {
  readonly prefix: string
  readonly lineEnd: string
  readonly endsWithLine: boolean
  readonly byteOrderMark: boolean
  readonly linesPerChunk: number
  readonly hasEmptyChunks: boolean
  readonly hasHiddenFiles: boolean
  readonly isReversed: boolean
  readonly bytesPerRead: number
}

const packing: fc.Arbitrary<Packing> = fc.record({
  prefix: fc.constantFrom('', './', 'export_20260102/', './export/', '.\\'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  endsWithLine: fc.boolean(),
  byteOrderMark: fc.boolean(),
  linesPerChunk: fc.integer({ min: 1, max: 6 }),
  hasEmptyChunks: fc.boolean(),
  hasHiddenFiles: fc.boolean(),
  isReversed: fc.boolean(),
  bytesPerRead: fc.integer({ min: 50, max: 5000 }),
})

test('the parts of an export do not depend on how it was packed', async () => {
  const expected = await partsIn(pack(files), 1 << 20)
  assert.equal(expected.length, 2 + 5 + 3 + 2 + 2 * 2 + 1)
  await fc.assert(
    fc.asyncProperty(packing, async (how) => {
      assert.deepEqual(await partsIn(packed(how), how.bytesPerRead), expected)
    }),
    { numRuns: 30 },
  )
})

/** The parts as text, sorted, since the order of files is not part of them. */
async function partsIn(tar: Buffer, bytesPerRead: number): Promise<string[]> {
  const kinds = ['metadata', 'schema', 'entity', 'link', 'setting', 'webhook', 'file', 'file size'] as const
  const parts: string[] = []
  for await (const part of partsOf(() => filesOfTar(piecesOf(tar, bytesPerRead)))(kinds))
    parts.push(JSON.stringify(await readPart(part)))
  return parts.sort()
}

async function readPart(part: Part): Promise<unknown> {
  if (part.kind === 'entity') return { ...part, data: part.data().fields }
  if (part.kind !== 'file') return part
  const chunks: Uint8Array[] = []
  for await (const chunk of part.bytes) chunks.push(chunk)
  return { ...part, bytes: Buffer.concat(chunks).toString() }
}

async function* piecesOf(bytes: Buffer, length: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length)
}

function packed(how: Packing): Buffer {
  const repacked: [path: string, text: string][] = []
  for (const [path, text] of files) {
    const chunks = path.endsWith('.jsonl') ? chunksOf(path, text, how) : [[path, text] as const]
    for (const [name, content] of chunks)
      repacked.push([
        how.prefix + name,
        how.byteOrderMark && /\.jsonl?$/.test(name) ? `\uFEFF${content}` : content,
      ])
    if (how.hasHiddenFiles)
      repacked.push([`${how.prefix}${path.replace(/[^/]+$/, '._hidden.jsonl')}`, 'binary'])
  }
  return pack(new Map(how.isReversed ? repacked.reverse() : repacked))
}

function chunksOf(path: string, text: string, how: Packing): [path: string, text: string][] {
  const lines = text.trimEnd().split('\n')
  const chunks: string[] = how.hasEmptyChunks ? [''] : []
  for (let start = 0; start < lines.length; start += how.linesPerChunk)
    chunks.push(
      lines.slice(start, start + how.linesPerChunk).join(how.lineEnd) + (how.endsWithLine ? how.lineEnd : ''),
    )
  return chunks.map((chunk, index) => [
    path.replace('_00001', `_${String(index + 1).padStart(5, '0')}`),
    chunk,
  ])
}
