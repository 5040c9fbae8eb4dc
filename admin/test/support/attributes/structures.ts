/** The attribute types that refer to other documents and files, or contain entries. */
import {
  chooseFiles,
  type EntryInput,
  enterComponent,
  enterEntries,
  enterRelated,
  enterZone,
  uploadFiles,
} from './enter.ts'
import { missing, type Row, row } from './row.ts'
import { entries, entry, names, namesWithTypes } from './served.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const image = (name: string) => ({ name, mimeType: 'image/png', buffer: PIXEL })

const PART: EntryInput = { Title: 'A part' }

export const STRUCTURES: readonly Row[] = [
  row('media', {
    enter: uploadFiles,
    schema: { allowedTypes: ['images'] },
    inputs: [[image('first.png')], [image('second.png')]],
    answers: [['first.png'], ['second.png']],
    read: names,
    wrong: {
      input: [{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Not an image') }],
      message: 'media accepts only images, not a file of type text/plain',
      when: 'saving',
    },
  }),
  row('media', {
    name: 'gallery',
    enter: chooseFiles,
    schema: { multiple: true, required: true },
    inputs: [['library-b.png', 'library-a.png'], ['library-a.png']],
    read: names,
    wrong: missing('gallery'),
  }),
  row('relation', {
    enter: enterRelated,
    schema: { relation: 'manyToOne', target: 'api::tag.tag', required: true },
    inputs: [['Blue'], ['Green']],
    read: names,
    wrong: missing('relation'),
  }),
  row('relation', {
    name: 'tags',
    enter: enterRelated,
    schema: { relation: 'manyToMany', target: 'api::tag.tag', required: true },
    inputs: [
      ['Green', 'Blue', 'Red'],
      ['Red', 'Green'],
    ],
    read: names,
    wrong: missing('tags'),
  }),
  row('relation', {
    name: 'anything',
    enter: enterRelated,
    schema: { relation: 'morphToMany', required: true },
    inputs: [['Harbour', 'Red'], ['Blue']],
    answers: [['api::place.place Harbour', 'api::tag.tag Red'], ['api::tag.tag Blue']],
    read: namesWithTypes,
    wrong: missing('anything'),
  }),
  row('component', {
    enter: enterComponent,
    schema: { component: 'parts.part' },
    inputs: [
      { Title: 'A part', Tag: ['Red'] },
      { Title: 'Another', Tag: ['Blue'] },
    ],
    answers: [
      { title: 'A part', tag: ['Red'] },
      { title: 'Another', tag: ['Blue'] },
    ],
    read: entry,
    wrong: {
      input: { Title: 'No' },
      message: 'component.title must have at least 3 characters',
      when: 'publishing',
    },
  }),
  row('component', {
    name: 'steps',
    enter: enterEntries,
    schema: { component: 'parts.part', repeatable: true, min: 2 },
    inputs: [
      [PART, { Title: 'Next', Tag: ['Green'] }],
      [{ Title: 'New' }, PART, PART],
    ],
    answers: [
      [
        { title: 'A part', tag: [] },
        { title: 'Next', tag: ['Green'] },
      ],
      [
        { title: 'New', tag: [] },
        { title: 'A part', tag: [] },
        { title: 'A part', tag: [] },
      ],
    ],
    read: entries,
    wrong: { input: [PART], message: 'steps must have at least 2 components', when: 'publishing' },
  }),
  row('dynamiczone', {
    enter: enterZone,
    schema: { components: ['parts.part', 'parts.quote'] },
    inputs: [
      [
        { component: 'Quote', values: { Text: 'A quote' } },
        { component: 'Part', values: PART },
      ],
      [{ component: 'Part', values: { Title: 'Alone' } }],
    ],
    answers: [
      [
        { __component: 'parts.quote', text: 'A quote' },
        { __component: 'parts.part', title: 'A part', tag: [] },
      ],
      [{ __component: 'parts.part', title: 'Alone', tag: [] }],
    ],
    read: entries,
    wrong: {
      input: [{ component: 'Quote', values: {} }],
      message: 'dynamiczone[0].text is required',
      when: 'publishing',
    },
  }),
]
