/**
 * Converts blocks to the editor's document and back, without loss: a node that was not edited is returned exactly as it
 * came, and properties and types that the editor does not know are kept in the others.
 */
import type { JSONContent } from '@tiptap/core'
import type { Node as EditorNode, Mark } from '@tiptap/pm/model'

/** A node of the content. */
export type Block = Readonly<Record<string, unknown>>

const MARKS = ['bold', 'italic', 'underline', 'strikethrough', 'code'] as const
/** The editor has a node for code, so the mark has another name there. */
const editorMark = (name: string) => (name === 'code' ? 'code_mark' : name)
const contentMark = (name: string) => (name === 'code_mark' ? 'code' : name)

const isBlock = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const without = (block: Block, ...names: readonly string[]): Block | null => {
  const entries = Object.entries(block).filter(([name]) => !names.includes(name))
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

const childrenOf = ({ children }: Block): readonly unknown[] => (Array.isArray(children) ? children : [])

/** The document of the editor. Without blocks, it has one empty paragraph to write in. */
export function toEditor(blocks: unknown): JSONContent {
  const content = Array.isArray(blocks) ? blocks.map(blockToEditor) : []
  return { type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] }
}

function blockToEditor(block: unknown): JSONContent {
  if (!isBlock(block) || !Array.isArray(block.children))
    return { type: 'keptBlock', attrs: { source: block } }
  const content = childrenOf(block).flatMap((child) => inlineToEditor(child))
  const attrs = { rest: without(block, 'type', 'children') }
  switch (block.type) {
    case 'paragraph':
    case 'quote':
      return { type: block.type, attrs, content }
    case 'code':
      return content.every(({ type }) => type === 'text')
        ? { type: 'code', attrs, content }
        : { type: 'keptBlock', attrs: { source: block } }
    case 'heading':
      return {
        type: 'heading',
        attrs: { level: block.level, rest: without(block, 'type', 'children', 'level') },
        content,
      }
    case 'list':
      return listToEditor(block)
    case 'image': {
      const { image, children } = block
      return { type: 'image', attrs: { image, children, rest: without(block, 'type', 'children', 'image') } }
    }
    default:
      return { type: 'keptBlock', attrs: { source: block } }
  }
}

function listToEditor(list: Block): JSONContent {
  const children = childrenOf(list)
  const isKnown = (child: unknown) => isBlock(child) && (child.type === 'list-item' || child.type === 'list')
  if (children.length === 0 || !children.every(isKnown)) return { type: 'keptBlock', attrs: { source: list } }
  const content = children.filter(isBlock).map((child): JSONContent => {
    if (child.type === 'list') return listToEditor(child)
    const attrs = { rest: without(child, 'type', 'children') }
    return { type: 'listItem', attrs, content: childrenOf(child).flatMap((inner) => inlineToEditor(inner)) }
  })
  // A list inside that had to be kept cannot be a child of a list.
  if (content.some(({ type }) => type === 'keptBlock')) return { type: 'keptBlock', attrs: { source: list } }
  return {
    type: 'list',
    attrs: { format: list.format, rest: without(list, 'type', 'children', 'format') },
    content,
  }
}

/** The editor has no empty texts: an empty paragraph has no content there. */
function inlineToEditor(node: unknown, outer: JSONContent['marks'] = []): JSONContent[] {
  if (!isBlock(node)) return [{ type: 'keptInline', attrs: { source: node } }]
  if (node.type === 'text' && typeof node.text === 'string') {
    const marks = MARKS.filter((name) => node[name] === true).map((name) => ({ type: editorMark(name) }))
    const properties = without(node, 'type', 'text', ...MARKS.filter((name) => node[name] === true))
    const extra = properties ? [{ type: 'extra', attrs: { properties } }] : []
    return node.text === '' ? [] : [{ type: 'text', text: node.text, marks: [...outer, ...marks, ...extra] }]
  }
  const texts = childrenOf(node)
  const isLink = node.type === 'link' && typeof node.url === 'string' && outer.length === 0
  if (!isLink || !texts.some((text) => isBlock(text) && text.text !== ''))
    return [{ type: 'keptInline', attrs: { source: node } }]
  const link = { type: 'link', attrs: { url: node.url, rest: without(node, 'type', 'url', 'children') } }
  return texts.flatMap((text) => inlineToEditor(text, [link]))
}

/** Remembers which block each node of the editor came from. The editor keeps nodes that are not edited. */
export function createSources() {
  const sources = new WeakMap<EditorNode, Block>()
  const remember = (node: EditorNode, source: unknown) => {
    if (!isBlock(source)) return
    sources.set(node, source)
    if (node.type.name !== 'list') return
    const children = childrenOf(source)
    node.forEach((child, _offset, index) => {
      remember(child, children[index])
    })
  }
  return {
    /** Must be called with the document that `toEditor` made of the blocks. */
    rememberAll(document: EditorNode, blocks: unknown) {
      if (!Array.isArray(blocks)) return
      document.forEach((node, _offset, index) => {
        remember(node, blocks[index])
      })
    },
    of: (node: EditorNode) => sources.get(node),
  }
}

export type Sources = ReturnType<typeof createSources>

/** The blocks of the editor's document. */
export function toBlocks(document: EditorNode, sources: Sources): readonly Block[] {
  return document.children.map((node) => blockOf(node, sources))
}

/** Whether the document is one paragraph without content. */
export const isEmptyDocument = ({ childCount, firstChild }: EditorNode) =>
  childCount === 1 && firstChild?.type.name === 'paragraph' && firstChild.content.size === 0

function blockOf(node: EditorNode, sources: Sources): Block {
  const source = sources.of(node)
  if (source) return source
  const { attrs } = node
  const rest: Block = isBlock(attrs.rest) ? attrs.rest : {}
  switch (node.type.name) {
    case 'heading':
      return { type: 'heading', level: attrs.level, ...rest, children: inlineOf(node) }
    case 'list':
      return {
        type: 'list',
        format: attrs.format,
        ...rest,
        children: node.children.map((child) => blockOf(child, sources)),
      }
    case 'listItem':
      return { type: 'list-item', ...rest, children: inlineOf(node) }
    case 'image':
      return { type: 'image', image: attrs.image, ...rest, children: attrs.children ?? [EMPTY_TEXT] }
    case 'keptBlock':
      return attrs.source
    default:
      return { type: node.type.name, ...rest, children: inlineOf(node) }
  }
}

const EMPTY_TEXT: Block = { type: 'text', text: '' }

function inlineOf(node: EditorNode): readonly Block[] {
  const inline: Block[] = []
  let openLink: { readonly mark: Mark; readonly children: Block[] } | null = null
  for (const child of node.children) {
    const link = child.marks.find(({ type }) => type.name === 'link')
    const text = child.isText ? textOf(child) : child.attrs.source
    if (!link) {
      openLink = null
      inline.push(text)
    } else if (openLink?.mark.eq(link)) openLink.children.push(text)
    else {
      openLink = { mark: link, children: [text] }
      inline.push({
        type: 'link',
        url: link.attrs.url,
        ...(link.attrs.rest ?? {}),
        children: openLink.children,
      })
    }
  }
  return inline.length > 0 ? inline : [EMPTY_TEXT]
}

function textOf({ text, marks }: EditorNode): Block {
  const known = marks.filter(({ type }) => type.name !== 'link' && type.name !== 'extra')
  const extra: unknown = marks.find(({ type }) => type.name === 'extra')?.attrs.properties
  return {
    type: 'text',
    text,
    ...Object.fromEntries(known.map(({ type }) => [contentMark(type.name), true])),
    ...(isBlock(extra) ? extra : {}),
  }
}
