/**
 * The document of the blocks editor: the same nodes as in the content, so that nothing needs to be guessed when it is
 * converted. What an editor does not know is kept as it is, in `rest` and in nodes of its own.
 */
import { type Extensions, Mark, Node } from '@tiptap/core'
import { texts } from '../../texts.ts'
import { COPIED, copiedAttributes } from './clipboard.ts'

/** An attribute that the page does not show; copied nodes have it in their HTML. */
const attribute = (name: string, initial: unknown = null) => ({
  [name]: {
    default: initial,
    rendered: false,
    parseHTML: (element: HTMLElement): unknown => copiedAttributes(element)[name] ?? null,
  },
})

/** Each block is written in the direction of its language. */
const direction = { dir: 'auto' }

/** Properties of a node that the editor does not know. */
const rest = attribute('rest')

const Document = Node.create({ name: 'doc', topNode: true, content: 'block+' })

const Text = Node.create({ name: 'text', group: 'inline' })

const textblock = (name: string, tag: string, parse: readonly string[]) =>
  Node.create({
    name,
    group: 'block',
    content: 'inline*',
    whitespace: 'pre',
    defining: true,
    addAttributes: () => rest,
    parseHTML: () => parse.map((each) => ({ tag: each })),
    renderHTML: ({ HTMLAttributes }) => [tag, { ...HTMLAttributes, ...direction }, 0],
  })

const Paragraph = textblock('paragraph', 'p', ['p'])
const Quote = textblock('quote', 'blockquote', ['blockquote'])

const LEVELS = [1, 2, 3, 4, 5, 6] as const

const Heading = Node.create({
  name: 'heading',
  group: 'block',
  content: 'inline*',
  whitespace: 'pre',
  defining: true,
  addAttributes: () => ({ ...attribute('level', 2), ...rest }),
  parseHTML: () => LEVELS.map((level) => ({ tag: `h${level}`, attrs: { level } })),
  renderHTML: ({ node, HTMLAttributes }) => [`h${node.attrs.level}`, { ...HTMLAttributes, ...direction }, 0],
})

const Code = Node.create({
  name: 'code',
  group: 'block',
  content: 'text*',
  code: true,
  whitespace: 'pre',
  defining: true,
  addAttributes: () => rest,
  parseHTML: () => [{ tag: 'pre', preserveWhitespace: 'full' }],
  renderHTML: ({ HTMLAttributes }) => ['pre', HTMLAttributes, ['code', 0]],
})

const List = Node.create({
  name: 'list',
  group: 'block',
  content: '(listItem | list)+',
  addAttributes: () => ({ ...attribute('format', 'unordered'), ...rest }),
  parseHTML: () => [
    { tag: 'ul', attrs: { format: 'unordered' } },
    { tag: 'ol', attrs: { format: 'ordered' } },
  ],
  renderHTML: ({ node, HTMLAttributes }) => [
    node.attrs.format === 'ordered' ? 'ol' : 'ul',
    { ...HTMLAttributes, ...direction },
    0,
  ],
})

const ListItem = Node.create({
  name: 'listItem',
  content: 'inline*',
  whitespace: 'pre',
  defining: true,
  addAttributes: () => rest,
  parseHTML: () => [{ tag: 'li' }],
  // The direction of a list is that of its first item.
  renderHTML: ({ HTMLAttributes }) => ['li', HTMLAttributes, 0],
})

const Image = Node.create({
  name: 'image',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ ...attribute('image'), ...attribute('children'), ...rest }),
  parseHTML: () => [{ tag: `figure[${COPIED}]` }],
  renderHTML: ({ node }) => {
    const { url, alternativeText } = { url: '', alternativeText: '', ...node.attrs.image }
    return ['figure', ['img', { src: String(url), alt: String(alternativeText ?? '') }]]
  },
})

/** A block, or something inside one, of a type that the editor does not know. */
const kept = (name: string, group: 'block' | 'inline') =>
  Node.create({
    name,
    group,
    inline: group === 'inline',
    atom: true,
    addAttributes: () => attribute('source'),
    parseHTML: () => [{ tag: `.kept-node[${COPIED}]`, priority: 60 }],
    renderHTML: ({ node }) => [
      group === 'inline' ? 'span' : 'div',
      { class: 'kept-node' },
      texts.blocks.unknown(String(node.attrs.source?.type ?? '')),
    ],
  })

const mark = (name: string, tag: string, key: string | null, parse: readonly string[]) =>
  Mark.create({
    name,
    parseHTML: () => parse.map((each) => ({ tag: each })),
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
    ...(key !== null && {
      addKeyboardShortcuts() {
        return { [key]: () => this.editor.commands.toggleMark(name) }
      },
    }),
  })

const Link = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ ...attribute('url', ''), ...rest }),
  parseHTML: () => [{ tag: 'a[href]', getAttrs: (element) => ({ url: element.getAttribute('href') }) }],
  // Without a destination: a click in the editor places the caret.
  renderHTML: ({ mark: { attrs } }) => ['a', { title: String(attrs.url), class: 'link' }, 0],
})

/** Properties of a text that the editor does not know. */
const Extra = Mark.create({
  name: 'extra',
  addAttributes: () => attribute('properties'),
  parseHTML: () => [{ tag: `span[${COPIED}]` }],
  renderHTML: () => ['span', 0],
})

export const blockExtensions: Extensions = [
  Document,
  Text,
  Paragraph,
  Quote,
  Heading,
  Code,
  List,
  ListItem,
  Image,
  kept('keptBlock', 'block'),
  kept('keptInline', 'inline'),
  Link,
  mark('bold', 'strong', 'Mod-b', ['strong', 'b']),
  mark('italic', 'em', 'Mod-i', ['em', 'i']),
  mark('underline', 'u', 'Mod-u', ['u']),
  mark('strikethrough', 's', 'Mod-Shift-s', ['s', 'del']),
  mark('code_mark', 'code', 'Mod-e', ['code:not(pre > code)']),
  Extra,
]
