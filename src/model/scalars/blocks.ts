/** Rich text as a list of blocks. */
import type { JsonSchema } from '../json-schema.ts'
import { fail, type ScalarType } from '../scalar-type.ts'
import { exactJson, json } from './json.ts'
import { blocksProblem } from './shared/block-nodes.ts'

const EXAMPLE = [{ type: 'paragraph', children: [{ type: 'text', text: 'Hello' }] }]

export const blocks: ScalarType = {
  ...json,
  parse: (input) =>
    Array.isArray(input) ? (blocksProblem(input) ?? exactJson(input)) : fail('must be an array of blocks'),
  storedAs: 'blocks',
  alsoHolds: [],
  inputFrom: (served) => (typeof served === 'string' ? paragraphsOf(served) : served),
  plainText: textOf,
  documentation: {
    sharedSchema: 'Blocks',
    served: () => SCHEMA,
    sent: () => SCHEMA,
    filter: json.documentation.filter,
    example: () => EXAMPLE,
    typescript: { served: () => ['Blocks'] },
  },
}

/** A paragraph for each line. */
const paragraphsOf = (text: string) =>
  text.split('\n').map((line) => ({ type: 'paragraph', children: [{ type: 'text', text: line }] }))

/** A line for each block. */
function textOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(textOf).join('\n')
  if (typeof node !== 'object' || node === null) return ''
  if ('text' in node && typeof node.text === 'string') return node.text
  const children: unknown = 'children' in node ? node.children : null
  if (!Array.isArray(children)) return ''
  return children.map(textOf).join('type' in node && node.type === 'list' ? '\n' : '')
}

const STRING: JsonSchema = { type: 'string' }
const BOOLEAN: JsonSchema = { type: 'boolean' }
const LIST_FORMAT = ['ordered', 'unordered']

const INLINE: JsonSchema = {
  type: 'object',
  required: ['type'],
  description: 'Text with its marks, a link, a list item, or a nested list.',
  properties: {
    type: { type: 'string', enum: ['text', 'link', 'list-item', 'list'] },
    text: STRING,
    bold: BOOLEAN,
    italic: BOOLEAN,
    underline: BOOLEAN,
    strikethrough: BOOLEAN,
    code: BOOLEAN,
    url: STRING,
    format: { type: 'string', enum: LIST_FORMAT },
    children: { type: 'array', items: { type: 'object' } },
  },
}

const SCHEMA: JsonSchema = {
  type: 'array',
  description: 'Rich text: paragraphs, headings, quotes, code, lists and images.',
  items: {
    type: 'object',
    required: ['type'],
    properties: {
      type: { type: 'string', enum: ['paragraph', 'heading', 'quote', 'code', 'list', 'image'] },
      level: { type: 'integer', minimum: 1, maximum: 6, description: 'Of a heading.' },
      format: { type: 'string', enum: LIST_FORMAT, description: 'Of a list.' },
      image: { type: 'object', description: 'Of an image.' },
      children: { type: 'array', items: INLINE },
    },
  },
  examples: [EXAMPLE],
}
