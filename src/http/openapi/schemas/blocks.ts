/** The schema of rich text in blocks. */
import type { Drawing } from '../document-builder.ts'
import { boolean, list, type Schema, text } from './schema.ts'

const inline: Schema = {
  type: 'object',
  required: ['type'],
  description: 'Text with its marks, a link, an item of a list, or a list inside a list.',
  properties: {
    type: { type: 'string', enum: ['text', 'link', 'list-item', 'list'] },
    text,
    bold: boolean,
    italic: boolean,
    underline: boolean,
    strikethrough: boolean,
    code: boolean,
    url: text,
    format: { type: 'string', enum: ['ordered', 'unordered'] },
    children: list({ type: 'object' }),
  },
}

export const blocksSchema = (d: Drawing): Schema =>
  d.shared('Blocks', () => ({
    type: 'array',
    description: 'Rich text: paragraphs, headings, quotes, code, lists and images.',
    items: {
      type: 'object',
      required: ['type'],
      properties: {
        type: { type: 'string', enum: ['paragraph', 'heading', 'quote', 'code', 'list', 'image'] },
        level: { type: 'integer', minimum: 1, maximum: 6, description: 'Of a heading.' },
        format: { type: 'string', enum: ['ordered', 'unordered'], description: 'Of a list.' },
        image: { type: 'object', description: 'Of an image.' },
        children: list(inline),
      },
    },
    examples: [[{ type: 'paragraph', children: [{ type: 'text', text: 'Hello' }] }]],
  }))
