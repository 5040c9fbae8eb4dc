/**
 * Lists in the blocks editor. The selected blocks become a flat sequence of lines, each with its depth; commands change
 * depths, and the sequence becomes blocks again.
 */
import type { Node as EditorNode, Schema } from '@tiptap/pm/model'
import { type Command, type EditorState, TextSelection, type Transaction } from '@tiptap/pm/state'

export type ListFormat = 'ordered' | 'unordered'

interface Line {
  /** The level of the list the line is in, from 0; -1 outside of lists. */
  readonly depth: number
  readonly format: ListFormat
  /** A list item, or a block outside of lists. */
  readonly node: EditorNode
}

/** All lines of some blocks, in order. */
function linesOf(blocks: readonly EditorNode[], depth = -1, format: ListFormat = 'unordered'): Line[] {
  return blocks.flatMap((node) =>
    node.type.name === 'list'
      ? linesOf(node.children, depth + 1, node.attrs.format === 'ordered' ? 'ordered' : 'unordered')
      : [{ depth, format, node }],
  )
}

/** The blocks that have these lines. */
function blocksOf(schema: Schema, lines: readonly Line[]): EditorNode[] {
  const blocks: EditorNode[] = []
  for (let index = 0; index < lines.length; ) {
    const line = lines[index]
    if (!line || line.depth >= 0) {
      const { node, next } = listAt(schema, lines, index, 0)
      blocks.push(node)
      index = next
    } else {
      blocks.push(line.node.type.name === 'listItem' ? retyped(schema, 'paragraph', line.node) : line.node)
      index += 1
    }
  }
  return blocks
}

const retyped = (schema: Schema, name: string, node: EditorNode) => schema.node(name, null, node.content)

/** The list that starts at a line, and the index of the line after it. */
function listAt(schema: Schema, lines: readonly Line[], start: number, depth: number) {
  const format = formatAt(lines, start, depth)
  const children: EditorNode[] = []
  let index = start
  for (let line = lines[index]; line && line.depth >= depth; line = lines[index]) {
    if (line.depth > depth) {
      const nested = listAt(schema, lines, index, depth + 1)
      children.push(nested.node)
      index = nested.next
    } else if (line.format === format) {
      children.push(line.node.type.name === 'listItem' ? line.node : retyped(schema, 'listItem', line.node))
      index += 1
    } else break
  }
  return { node: schema.node('list', { format }, children), next: index }
}

/** The format of the first line at this depth; a nested list may come first. */
function formatAt(lines: readonly Line[], start: number, depth: number): ListFormat {
  for (const line of lines.slice(start)) {
    if (line.depth === depth) return line.format
    if (line.depth < depth) break
  }
  return lines[start]?.format ?? 'unordered'
}

/** Changes the lines of the selected top-level blocks. `change` returns null when there is nothing to do. */
function changeLines(
  state: EditorState,
  change: (lines: readonly Line[], isSelected: (index: number) => boolean) => readonly Line[] | null,
): Transaction | null {
  const { $from, $to } = state.selection
  const range = $from.blockRange($to, (node) => node.type.name === 'doc')
  if (!range) return null
  const blocks = state.doc.children.slice(range.startIndex, range.endIndex)
  const lines = linesOf(blocks)
  const starts = textStarts(state.doc, range.start, range.end)
  // Atoms such as images are lines too, without text to be selected.
  if (starts.length !== lines.length) return null
  const indexOf = (position: number) => starts.findLastIndex((start) => start <= position)
  const [first, last] = [indexOf($from.pos), indexOf($to.pos)]
  const changed = change(lines, (index) => index >= first && index <= last)
  if (!changed) return null
  const transaction = state.tr.replaceWith(range.start, range.end, blocksOf(state.schema, changed))
  const moved = textStarts(transaction.doc, range.start, transaction.mapping.map(range.end))
  const move = (position: number, index: number) => (moved[index] ?? 0) + position - (starts[index] ?? 0)
  return transaction
    .setSelection(TextSelection.create(transaction.doc, move($from.pos, first), move($to.pos, last)))
    .scrollIntoView()
}

/** Where the text of each line starts. */
function textStarts(document: EditorNode, from: number, to: number): number[] {
  const starts: number[] = []
  document.nodesBetween(from, to, (node, position) => {
    if (node.isTextblock) starts.push(position + 1)
    return !node.isTextblock
  })
  return starts
}

const command =
  (change: Parameters<typeof changeLines>[1]): Command =>
  (state, dispatch) => {
    const transaction = changeLines(state, change)
    if (transaction && dispatch) dispatch(transaction)
    return transaction !== null
  }

/** Makes list items of the selected lines; paragraphs, when they are such items already. */
export const toggleList = (format: ListFormat): Command =>
  command((lines, isSelected) => {
    const selected = lines.filter((_, index) => isSelected(index))
    const isOff = selected.every((line) => line.depth >= 0 && line.format === format)
    return lines.map((line, index) =>
      isSelected(index) ? { ...line, format, depth: isOff ? -1 : Math.max(0, line.depth) } : line,
    )
  })

/** Moves the selected items one level in, below the item before them. */
export const indent: Command = command((lines, isSelected) => {
  const first = lines.findIndex((_, index) => isSelected(index))
  const [line, before] = [lines[first], lines[first - 1]]
  if (!line || !before || line.depth < 0 || before.depth < line.depth) return null
  return lines.map((each, index) => (isSelected(index) ? { ...each, depth: each.depth + 1 } : each))
})

/** Moves the selected items one level out; out of the list from the first level. */
export const outdent: Command = command((lines, isSelected) =>
  lines.some((line, index) => isSelected(index) && line.depth >= 0)
    ? lines.map((line, index) =>
        isSelected(index) && line.depth >= 0 ? { ...line, depth: line.depth - 1 } : line,
      )
    : null,
)

const isInItem = ({ selection: { $from, empty } }: EditorState) =>
  empty && $from.parent.type.name === 'listItem'

/** Enter in an empty item leaves the list. */
export const leaveEmptyItem: Command = (state, dispatch) =>
  isInItem(state) && state.selection.$from.parent.content.size === 0 ? outdent(state, dispatch) : false

/** Backspace at the start of an item moves it out. */
export const outdentAtStart: Command = (state, dispatch) =>
  isInItem(state) && state.selection.$from.parentOffset === 0 ? outdent(state, dispatch) : false
