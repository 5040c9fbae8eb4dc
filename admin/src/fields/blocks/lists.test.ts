import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { getSchema } from '@tiptap/core'
import { type Command, EditorState, TextSelection } from '@tiptap/pm/state'
import { createSources, toBlocks, toEditor } from './convert.ts'
import { indent, leaveEmptyItem, outdent, toggleList } from './lists.ts'
import { blockExtensions } from './schema.ts'

const schema = getSchema(blockExtensions)

const text = (value: string) => [{ type: 'text', text: value }]
const paragraph = (value: string) => ({ type: 'paragraph', children: text(value) })
const item = (value: string) => ({ type: 'list-item', children: text(value) })
const list = (...children: readonly object[]) => ({ type: 'list', format: 'unordered', children })

/** Runs a command with the caret after `at`, or with the text between `at` and `to` selected. */
function run(command: Command, blocks: readonly object[], at: string, to = at) {
  const document = schema.nodeFromJSON(toEditor(blocks))
  const endOf = (wanted: string) => {
    let position = -1
    document.descendants((node, start) => {
      if (node.isText && node.text === wanted) position = start + node.nodeSize
      if (wanted === '' && node.isTextblock && node.content.size === 0) position = start + 1
    })
    return position
  }
  let state = EditorState.create({
    doc: document,
    selection: TextSelection.create(document, endOf(at), endOf(to)),
  })
  const isDone = command(state, (transaction) => {
    state = state.apply(transaction)
  })
  state.doc.check()
  return {
    isDone,
    blocks: toBlocks(state.doc, createSources()),
    caretIn: state.selection.$from.parent.textContent,
  }
}

describe('lists in the blocks editor', () => {
  test('paragraphs become items and items paragraphs', () => {
    const made = run(toggleList('unordered'), [paragraph('a'), paragraph('b')], 'a', 'b')
    assert.deepEqual(made.blocks, [list(item('a'), item('b'))])
    const undone = run(toggleList('unordered'), [list(item('a'), item('b'))], 'b')
    assert.deepEqual(undone.blocks, [list(item('a')), paragraph('b')])
    assert.equal(undone.caretIn, 'b')
  })

  test('an item moves below the one before it, and out again', () => {
    const nested = run(indent, [list(item('a'), item('b'), item('c'))], 'b')
    assert.deepEqual(nested.blocks, [list(item('a'), list(item('b')), item('c'))])
    assert.equal(nested.caretIn, 'b')
    assert.deepEqual(run(outdent, nested.blocks, 'b').blocks, [list(item('a'), item('b'), item('c'))])
  })

  test('the first item cannot move in', () => {
    assert.equal(run(indent, [list(item('a'))], 'a').isDone, false)
  })

  test('Enter in an empty item leaves the list', () => {
    const left = run(leaveEmptyItem, [list(item('a'), item(''))], '')
    assert.deepEqual(left.blocks, [list(item('a')), paragraph('')])
  })

  test('the other format changes the selected items', () => {
    const changed = run(toggleList('ordered'), [list(item('a'))], 'a')
    assert.deepEqual(changed.blocks, [{ type: 'list', format: 'ordered', children: [item('a')] }])
  })
})
