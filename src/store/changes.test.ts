import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf } from './changes.ts'
import type { TypeState } from './tables.ts'

const notes: TypeState = {
  table: 'notes',
  localized: false,
  draftAndPublish: false,
  columns: [{ name: 'a_text', type: 'TEXT' }],
  indexes: [],
  served: ['text string'],
}
const index = {
  name: 'notes_rank',
  unique: false,
  parts: [{ column: 'a_rank', digest: false }],
  publishedOnly: false,
}

test('a new content-type is a table', () => {
  assert.deepEqual(changesOf('api::note.note', null, notes), ['api::note.note: table notes created'])
})

test('a content-type that stays as it is has no changes', () => {
  assert.deepEqual(changesOf('api::note.note', notes, notes), [])
})

test('every kind of change is told', () => {
  const after: TypeState = {
    ...notes,
    localized: true,
    draftAndPublish: true,
    columns: [{ name: 'a_rank', type: 'INTEGER' }],
    indexes: [index],
  }
  assert.deepEqual(changesOf('n', notes, after), [
    'n: column a_rank added',
    'n: column a_text is no longer used; its content stays',
    'n: index notes_rank made',
    'n: draft & publish switched on',
    'n: localization switched on',
  ])
  assert.deepEqual(
    changesOf('n', after, { ...after, columns: [{ name: 'a_rank', type: 'TEXT' }], indexes: [] }),
    ['n: column a_rank changed to TEXT', 'n: index notes_rank dropped'],
  )
})
