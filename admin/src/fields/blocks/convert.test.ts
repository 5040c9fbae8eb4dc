import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { getSchema } from '@tiptap/core'
import { EditorState, TextSelection } from '@tiptap/pm/state'
import fc from 'fast-check'
import { type Block, createSources, toBlocks, toEditor } from './convert.ts'
import { blockExtensions } from './schema.ts'

const schema = getSchema(blockExtensions)

/** Opens blocks in an editor and returns what it would save. */
function openAndSave(blocks: unknown): readonly Block[] {
  const document = schema.nodeFromJSON(toEditor(blocks))
  document.check()
  const sources = createSources()
  sources.rememberAll(document, blocks)
  return toBlocks(document, sources)
}

/** The same without remembering the blocks: every node counts as edited. */
const convertBack = (blocks: unknown) => toBlocks(schema.nodeFromJSON(toEditor(blocks)), createSources())

const mark = fc.constantFrom('bold', 'italic', 'underline', 'strikethrough', 'code')
const anyText = fc
  .record({
    type: fc.constant('text'),
    text: fc.string({ maxLength: 12 }),
  })
  .chain((text) =>
    fc
      .dictionary(fc.oneof(mark, fc.constant('color')), fc.constantFrom(true, false), { maxKeys: 3 })
      .map((marks) => ({ ...text, ...marks })),
  )
const link = fc
  .record({
    type: fc.constant('link'),
    url: fc.webUrl(),
    children: fc.array(anyText, { maxLength: 3 }),
    rel: fc.option(fc.constant('nofollow'), { nil: undefined }),
  })
  .map(({ rel, ...node }) => (rel === undefined ? node : { ...node, rel }))
const unknownNode = fc.record({
  type: fc.constantFrom('mention', 'table'),
  children: fc.constant([]),
  id: fc.nat(),
})
const inline = fc.array(fc.oneof(anyText, link, unknownNode), { minLength: 1, maxLength: 4 })
const listItem = fc.record({ type: fc.constant('list-item'), children: inline })
const { list } = fc.letrec<{ list: Block; child: Block }>((tie) => ({
  child: fc.oneof({ depthSize: 'small' }, listItem, tie('list')),
  list: fc.record({
    type: fc.constant('list'),
    format: fc.constantFrom('ordered', 'unordered'),
    children: fc.array(tie('child'), { minLength: 1, maxLength: 3 }),
    indentLevel: fc.nat(3),
  }),
}))
const block = fc.oneof(
  fc.record({ type: fc.constantFrom('paragraph', 'quote'), children: inline }),
  fc.record({ type: fc.constant('heading'), level: fc.integer({ min: 1, max: 6 }), children: inline }),
  fc.record({
    type: fc.constant('code'),
    children: fc.array(anyText, { maxLength: 2 }),
    syntax: fc.constant('ts'),
  }),
  list,
  fc.record({
    type: fc.constant('image'),
    image: fc.record({ url: fc.webUrl(), width: fc.nat() }),
    children: fc.constant([{ type: 'text', text: '' }]),
  }),
  fc.record({ type: fc.constantFrom('table', 'video'), anything: fc.jsonValue() }),
)
const blocks = fc.array(block, { minLength: 1, maxLength: 5 })

/** Lists of blocks anywhere in a JSON value. */
function blockLists(value: unknown): unknown[][] {
  if (Array.isArray(value)) {
    const isBlocks = value.some(
      (item) => isBlock(item) && Array.isArray(item.children) && item.type === 'paragraph',
    )
    return isBlocks ? [value] : value.flatMap(blockLists)
  }
  return isBlock(value) ? Object.values(value).flatMap(blockLists) : []
}
const isBlock = (value: unknown): value is Block => typeof value === 'object' && value !== null

describe('the blocks editor', () => {
  test('blocks of every kind come back unchanged when nothing is edited', () => {
    fc.assert(
      fc.property(blocks, (value) => {
        assert.deepEqual(openAndSave(value), value)
      }),
    )
  })

  test('the block texts of the reference content and the demo come back unchanged', () => {
    const files = ['test/reference/**/*.json', 'examples/restaurants/content/*.json'].flatMap((glob) =>
      globSync(glob),
    )
    const found = files.flatMap((file) => blockLists(JSON.parse(readFileSync(file, 'utf8'))))
    assert.ok(found.length > 10, `only ${found.length} found`)
    for (const value of found) assert.deepEqual(openAndSave(value), value)
  })

  test('types and properties that the editor does not know are kept in edited blocks', () => {
    const value = [
      {
        type: 'paragraph',
        align: 'center',
        children: [
          { type: 'text', text: 'a', bold: true, color: 'red' },
          { type: 'link', url: 'https://a.example', rel: 'me', children: [{ type: 'text', text: 'b' }] },
          { type: 'mention', id: 3, children: [] },
        ],
      },
      {
        type: 'list',
        format: 'ordered',
        indentLevel: 1,
        children: [{ type: 'list-item', done: true, children: [{ type: 'text', text: 'c' }] }],
      },
      { type: 'table', rows: 2 },
    ]
    assert.deepEqual(convertBack(value), value)
  })

  test('a block that is edited does not change the others', () => {
    const untouched = {
      type: 'paragraph',
      children: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    }
    const value = [untouched, { type: 'paragraph', children: [{ type: 'text', text: 'edit me' }] }]
    const document = schema.nodeFromJSON(toEditor(value))
    const sources = createSources()
    sources.rememberAll(document, value)
    const state = EditorState.create({ doc: document, selection: TextSelection.atEnd(document) })
    const edited = toBlocks(state.apply(state.tr.insertText('!')).doc, sources)
    assert.deepEqual(edited, [
      untouched,
      { type: 'paragraph', children: [{ type: 'text', text: 'edit me!' }] },
    ])
  })

  test('an empty paragraph is saved with one empty text, which the server requires', () => {
    assert.deepEqual(convertBack([{ type: 'paragraph', children: [{ type: 'text', text: '' }] }]), [
      { type: 'paragraph', children: [{ type: 'text', text: '' }] },
    ])
  })
})
