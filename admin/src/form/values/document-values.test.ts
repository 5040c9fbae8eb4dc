import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AttributeView } from '../../api/types.ts'
import { createRowActions } from '../../fields/rows/row-actions.ts'
import { createFormStore } from '../store.ts'
import {
  changedInput,
  copyValues,
  formPathOf,
  inputOf,
  newInput,
  newValues,
  rowsAt,
  rowsOfStore,
  valuesOf,
} from './document-values.ts'
import { populateOf } from './populate.ts'
import { attributes, schema } from './sample-schema.ts'

const SERVED = {
  documentId: 'd1',
  title: 'Salt',
  author: { documentId: 'p1', name: 'Ana' },
  tags: [{ documentId: 't1', __type: 'api::person.person' }],
  cover: { id: 7, url: '/uploads/a.webp', mime: 'image/webp' },
  address: { id: 1, documentId: 'x', label: 'Quay', price: null },
  menu: [
    {
      id: 3,
      title: 'Starters',
      items: [
        { id: 5, label: 'Soup', price: 4 },
        { id: 6, label: 'Bread', price: 2 },
      ],
    },
    { id: 4, title: 'Mains', items: [] },
  ],
  zone: [
    { id: 3, __component: 'block.gallery', pictures: [{ id: 8, url: '/b', mime: 'image/png' }] },
    { id: 3, __component: 'block.text', text: 'Hello' },
  ],
}

const storeOf = (served: object) => createFormStore(valuesOf(schema, attributes, { ...served }))

describe('documents and forms', () => {
  test('a document that was not edited is sent as it was received', () => {
    assert.deepEqual(inputOf(schema, attributes, storeOf(SERVED)), {
      title: 'Salt',
      author: 'p1',
      tags: [{ __type: 'api::person.person', documentId: 't1' }],
      cover: 7,
      address: { id: 1, label: 'Quay', price: null },
      menu: [
        {
          id: 3,
          title: 'Starters',
          items: [
            { id: 5, label: 'Soup', price: 4 },
            { id: 6, label: 'Bread', price: 2 },
          ],
        },
        { id: 4, title: 'Mains', items: [] },
      ],
      zone: [
        { id: 3, __component: 'block.gallery', pictures: [8] },
        { id: 3, __component: 'block.text', text: 'Hello' },
      ],
    })
  })

  test('only attributes with changes are sent', () => {
    const store = storeOf(SERVED)
    store.set('zone/block.text:3/text', 'Goodbye')
    assert.deepEqual(changedInput(schema, attributes, store), {
      zone: [
        { id: 3, __component: 'block.gallery', pictures: [8] },
        { id: 3, __component: 'block.text', text: 'Goodbye' },
      ],
    })
  })

  test('values that are never returned are sent only when they are new', () => {
    const store = storeOf(SERVED)
    store.set('password', 'new password')
    store.set('zone/block.text:3/secret', 'hidden')
    const input = changedInput(schema, attributes, store)
    assert.deepEqual(Object.keys(input), ['password', 'zone'])
    assert.match(JSON.stringify(input.zone), /"secret":"hidden"/)
  })

  test('a new document has the defaults of the schema', () => {
    const values = newValues(schema, attributes)
    assert.equal(values.get('title'), 'Untitled')
    assert.deepEqual(values.get('zone'), [])
  })

  test('an error of the server is shown at the field of the entry, wherever the entry was moved', () => {
    const store = storeOf(SERVED)
    const at = (...path: readonly (string | number)[]) => formPathOf(schema, attributes, store, path)
    assert.equal(at('title'), 'title')
    assert.equal(at('address', 'price'), 'address/menu.item:1/price')
    assert.equal(at('menu', '0', 'items', '1', 'price'), 'menu/menu.section:3/items/menu.item:6/price')
    store.set('menu', rowsAt(store, 'menu').toReversed())
    assert.equal(at('menu', 1, 'items', 1, 'price'), 'menu/menu.section:3/items/menu.item:6/price')
    assert.equal(at('zone', '9'), 'zone')
    assert.equal(at('unknown'), '')
  })

  test('entries keep their keys when the server gives them an id', () => {
    const store = storeOf(SERVED)
    const added = { key: 'block.text:new', component: 'block.text' }
    store.set('zone', [...rowsAt(store, 'zone'), added])
    const saved = { ...SERVED, zone: [...SERVED.zone, { id: 9, __component: 'block.text', text: 'New' }] }
    const values = valuesOf(schema, attributes, saved, '', rowsOfStore(store, true))
    assert.deepEqual(rowsAt(values, 'zone').at(-1), { ...added, id: 9 })
    assert.equal(values.get('zone/block.text:new/text'), 'New')
  })

  test('a copied entry has new entries inside, in the same order', () => {
    const store = storeOf(SERVED)
    const from = 'menu/menu.section:3'
    const copy = copyValues(store.below(from), from, 'menu/copy')
    const items = rowsAt(copy, 'menu/copy/items')
    assert.deepEqual(
      items.map(({ key, id }) => [copy.get(`menu/copy/items/${key}/label`), id]),
      [
        ['Soup', undefined],
        ['Bread', undefined],
      ],
    )
    assert.equal(copy.get('menu/copy/title'), 'Starters')
  })

  test('a form reads entries with everything in them, and the names of related documents', () => {
    const populate = populateOf(schema, attributes)
    assert.deepEqual(populate?.author, { fields: ['name'] })
    assert.deepEqual(populate?.menu, { populate: { items: true } })
    assert.deepEqual(populate?.zone, {
      on: { 'block.text': true, 'block.gallery': { populate: { pictures: true } } },
    })
  })

  test('a new document is created without what has no value, for which the server has defaults', () => {
    const store = createFormStore(newValues(schema, attributes))
    assert.deepEqual(newInput(schema, attributes, store), { title: 'Untitled' })
  })

  test('a default that was emptied is sent as empty, and so is JSON without items', () => {
    const withJson: AttributeView = {
      name: 'options',
      type: 'json',
      localized: false,
      readable: true,
      writable: { create: true, update: true },
    }
    const store = createFormStore(newValues(schema, [...attributes, withJson]))
    store.set('title', null)
    store.set('options', [])
    assert.deepEqual(newInput(schema, [...attributes, withJson], store), { title: null, options: [] })
  })

  test('an entry that was removed and restored is duplicated with everything in it', () => {
    const store = storeOf(SERVED)
    const actions = createRowActions(store, schema, 'menu')
    const [starters] = actions.rows()
    assert.ok(starters)
    actions.remove(starters)
    store.undo()
    const copy = actions.duplicate(starters)
    const items = rowsAt(store, `${copy}/items`)
    assert.deepEqual(
      items.map(({ key }) => store.get(`${copy}/items/${key}/label`)),
      ['Soup', 'Bread'],
    )
  })
})
