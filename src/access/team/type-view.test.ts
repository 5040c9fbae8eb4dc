import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typeOf } from '../../model/model.ts'
import { parseModel } from '../../model/parse-model.ts'
import { typeViewOf } from './type-view.ts'

const UID = 'api::front-page.front-page'

function typeWith(attributes: object) {
  const schema = {
    kind: 'collectionType',
    info: { singularName: 'front-page', pluralName: 'front-pages', displayName: 'Front page' },
    attributes,
  }
  const source = { kind: 'type' as const, uid: UID, file: 'schema.json', schema }
  const parsed = parseModel([source], { default: 'en', codes: ['en'] })
  assert.ok(parsed.ok)
  return typeOf(parsed.model, UID)
}

test('the default view shows what identifies a document, and short values', () => {
  const view = typeViewOf(
    typeWith({
      body: { type: 'richtext' },
      cover: { type: 'media' },
      publishedOn: { type: 'date' },
      secret_note: { type: 'string', private: true },
      title: { type: 'string' },
    }),
  )
  assert.equal(view.label, 'Front pages')
  assert.equal(view.mainField, 'title')
  assert.deepEqual(view.columns, ['title', 'cover', 'publishedOn', 'updatedAt'])
  assert.deepEqual(
    view.fields.map(({ name, label, width }) => [name, label, width]),
    [
      ['body', 'Body', 12],
      ['cover', 'Cover', 6],
      ['publishedOn', 'Published on', 6],
      ['secret_note', 'Secret note', 6],
      ['title', 'Title', 6],
    ],
  )
})

test('a document without a text is named by its documentId', () => {
  assert.equal(typeViewOf(typeWith({ count: { type: 'integer' } })).mainField, 'documentId')
})

test('what was configured comes first, and attributes that no longer exist are left out', () => {
  const view = typeViewOf(typeWith({ title: { type: 'string' }, body: { type: 'text' } }), {
    mainField: 'gone',
    columns: ['body', 'gone', 'status'],
    defaultSort: 'gone:asc',
    fields: [{ name: 'body', label: 'Text' }, { name: 'gone' }],
  })
  assert.equal(view.mainField, 'title')
  assert.deepEqual(view.columns, ['body', 'status'])
  assert.equal(view.defaultSort, 'id:desc')
  assert.deepEqual(
    view.fields.map(({ name, label }) => [name, label]),
    [
      ['body', 'Text'],
      ['title', 'Title'],
    ],
  )
})
