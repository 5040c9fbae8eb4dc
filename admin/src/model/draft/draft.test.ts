import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { putAttribute, removeAttribute, reorderAttributes } from './attributes.ts'
import { countChanges, createDraft, editOf, type ModelDraft, updateSchema } from './draft.ts'
import { rebase } from './rebase.ts'
import type { Attributes, Schema } from './schema.ts'
import { referencesTo, removeSchema, renameSchema } from './schemas.ts'

const text = { type: 'string' }
const BOOK = 'api::book.book'
const AUTHOR = 'api::author.author'

const schema = (uid: string, attributes: Attributes, more: object = {}): Schema => ({
  uid,
  info: {},
  attributes,
  ...more,
})

const books = () =>
  createDraft(1, [
    schema(
      BOOK,
      {
        title: text,
        slug: { type: 'uid', targetField: 'title' },
        author: { type: 'relation', relation: 'manyToOne', target: AUTHOR, inversedBy: 'books' },
        parts: { type: 'dynamiczone', components: ['shared.part', 'shared.quote'] },
      },
      { options: { indexes: [['title', 'slug']] } },
    ),
    schema(AUTHOR, {
      name: text,
      books: { type: 'relation', relation: 'oneToMany', target: BOOK, mappedBy: 'author' },
    }),
    schema('shared.part', { text }),
    schema('shared.quote', { text }),
  ])

const attributesOf = ({ schemas }: ModelDraft, uid: string) => schemas.get(uid)?.attributes ?? {}

describe('unsaved changes of the model', () => {
  test('nothing is sent without a change, and the order of attributes is one', () => {
    assert.equal(countChanges(books()), 0)
    const moved = reorderAttributes(books(), AUTHOR, ['books', 'name'])
    assert.deepEqual(
      editOf(moved).contentTypes.map(({ uid }) => uid),
      [AUTHOR],
    )
    assert.equal(countChanges(reorderAttributes(moved, AUTHOR, ['name', 'books'])), 0)
  })

  test('a renamed attribute keeps its content, its place and what refers to it', () => {
    const once = putAttribute(books(), BOOK, 'title', 'heading', text)
    const twice = putAttribute(once, BOOK, 'heading', 'headline', text)
    assert.deepEqual(Object.keys(attributesOf(twice, BOOK)), ['headline', 'slug', 'author', 'parts'])
    assert.deepEqual(attributesOf(twice, BOOK).headline, { ...text, renamedFrom: 'title' })
    assert.equal(attributesOf(twice, BOOK).slug?.targetField, 'headline')
    assert.deepEqual(twice.schemas.get(BOOK)?.options?.indexes, [['headline', 'slug']])
    const back = putAttribute(twice, BOOK, 'headline', 'title', text)
    assert.equal(countChanges(back), 0)
  })

  test('a rename that is done does not claim the name of a new attribute', () => {
    const draft = createDraft(1, [schema(BOOK, { heading: { ...text, renamedFrom: 'title' } })])
    const kept = putAttribute(draft, BOOK, 'heading', 'heading', { ...text, required: true })
    assert.equal(attributesOf(kept, BOOK).heading?.renamedFrom, 'title')
    const added = putAttribute(draft, BOOK, null, 'title', text)
    assert.deepEqual(attributesOf(added, BOOK), { heading: text, title: text })
  })

  test('the other side of a relation is added, follows renames, and is removed with it', () => {
    const editor = { type: 'relation', relation: 'manyToOne', target: AUTHOR, inversedBy: 'edited' }
    const added = putAttribute(books(), BOOK, null, 'editor', editor)
    assert.deepEqual(attributesOf(added, AUTHOR).edited, {
      type: 'relation',
      relation: 'oneToMany',
      target: BOOK,
      mappedBy: 'editor',
    })
    const renamed = putAttribute(added, BOOK, 'editor', 'publisher', editor)
    assert.equal(attributesOf(renamed, AUTHOR).edited?.mappedBy, 'publisher')
    const { inversedBy: _, ...oneWay } = editor
    assert.equal(
      attributesOf(putAttribute(renamed, BOOK, 'publisher', 'publisher', oneWay), AUTHOR).edited,
      undefined,
    )
    assert.deepEqual(Object.keys(attributesOf(removeAttribute(books(), AUTHOR, 'books'), BOOK)), [
      'title',
      'slug',
      'parts',
    ])
  })

  test('another name for the other side of a relation renames it, with its content', () => {
    const renamed = putAttribute(books(), AUTHOR, 'books', 'books', {
      type: 'relation',
      relation: 'oneToMany',
      target: BOOK,
      mappedBy: 'writer',
    })
    assert.deepEqual(attributesOf(renamed, BOOK).writer, {
      type: 'relation',
      relation: 'manyToOne',
      target: AUTHOR,
      renamedFrom: 'author',
      inversedBy: 'books',
    })
    assert.deepEqual(Object.keys(attributesOf(renamed, BOOK)), ['title', 'slug', 'writer', 'parts'])
    assert.equal(attributesOf(renamed, AUTHOR).books?.mappedBy, 'writer')
  })

  test('the other side of a relation does not replace an attribute that is something else', () => {
    const editor = { type: 'relation', relation: 'manyToOne', target: AUTHOR, inversedBy: 'name' }
    assert.deepEqual(attributesOf(putAttribute(books(), BOOK, null, 'editor', editor), AUTHOR).name, text)
  })

  test('a renamed type keeps its references, and is new only under its uid', () => {
    const renamed = renameSchema(books(), AUTHOR, 'api::writer.writer')
    assert.equal(attributesOf(renamed, BOOK).author?.target, 'api::writer.writer')
    assert.deepEqual(editOf(renamed).rename, [{ from: AUTHOR, to: 'api::writer.writer' }])
    assert.deepEqual(editOf(renamed).remove, [])
    assert.equal(countChanges(renameSchema(renamed, 'api::writer.writer', AUTHOR)), 0)
  })

  test('a removed type or component is removed from what refers to it', () => {
    assert.deepEqual(
      referencesTo(books(), 'shared.part').map(({ attribute }) => attribute),
      ['parts'],
    )
    const draft = removeSchema(removeSchema(books(), 'shared.part'), AUTHOR)
    assert.deepEqual(Object.keys(attributesOf(draft, BOOK)), ['title', 'slug', 'parts'])
    assert.deepEqual(attributesOf(draft, BOOK).parts?.components, ['shared.quote'])
    assert.deepEqual(editOf(draft).remove, [AUTHOR, 'shared.part'])
  })

  test('changes are kept when someone else has changed the same type', () => {
    const mine = removeAttribute(
      putAttribute(books(), BOOK, null, 'pages', { type: 'integer' }),
      BOOK,
      'parts',
    )
    const theirs = updateSchema(
      putAttribute(putAttribute(books(), BOOK, null, 'isbn', text), BOOK, 'title', 'title', {
        ...text,
        required: true,
      }),
      BOOK,
      (each) => ({ ...each, info: { displayName: 'Book' } }),
    )
    const merged = rebase(mine, 2, [...theirs.schemas.values()])
    assert.equal(merged.version, 2)
    assert.deepEqual(Object.keys(attributesOf(merged, BOOK)), ['title', 'slug', 'author', 'pages', 'isbn'])
    assert.deepEqual(attributesOf(merged, BOOK).title, { ...text, required: true })
    assert.equal(merged.schemas.get(BOOK)?.info.displayName, 'Book')
    assert.equal(countChanges(merged), 1)
  })
})
