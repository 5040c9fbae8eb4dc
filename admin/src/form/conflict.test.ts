import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { conflictingAttributes, entryLines, isUnchanged, mergedChanges } from './conflict.ts'
import { createFormStore } from './store.ts'
import { changedInput, valuesOf } from './values/document-values.ts'
import { attributes, schema } from './values/sample-schema.ts'

const BASE = {
  title: 'Salt',
  address: { id: 1, label: 'Quay', price: 1 },
  zone: [
    { id: 1, __component: 'block.text', text: 'one' },
    { id: 2, __component: 'block.text', text: 'two' },
  ],
}
const values = (served: object) => valuesOf(schema, attributes, { ...served })

/** What is sent after both versions were merged. */
function merge(mine: object, theirs: object, taken: readonly string[]) {
  const versions = { base: values(BASE), mine: values(mine), theirs: values(theirs) }
  const store = createFormStore(versions.base)
  store.rebase(versions.theirs, mergedChanges(schema, attributes, versions, new Set(taken)))
  return changedInput(schema, attributes, store)
}

describe('two people changed a document', () => {
  test('only attributes that both changed differently are in conflict', () => {
    const versions = {
      base: values(BASE),
      mine: values({ ...BASE, title: 'Mine', address: { id: 1, label: 'Both', price: 1 } }),
      theirs: values({ ...BASE, address: { id: 1, label: 'Both', price: 1 }, zone: [] }),
    }
    assert.deepEqual(conflictingAttributes(schema, attributes, versions), [])
    const other = { ...versions, theirs: values({ ...BASE, title: 'Theirs' }) }
    assert.deepEqual(
      conflictingAttributes(schema, attributes, other).map(({ name }) => name),
      ['title'],
    )
  })

  test('a version with the same content changed nothing, whatever the person has changed', () => {
    const versions = { base: values(BASE), mine: values({ ...BASE, title: 'Mine' }), theirs: values(BASE) }
    assert.equal(isUnchanged(schema, attributes, versions), true)
    const other = { ...versions, theirs: values({ ...BASE, zone: [BASE.zone[0]] }) }
    assert.equal(isUnchanged(schema, attributes, other), false)
  })

  test('the values in entries are shown one by one', () => {
    const linesOf = (name: string, served: object) => {
      const attribute = attributes.find((each) => each.name === name)
      assert.ok(attribute)
      return entryLines(schema, attribute, values(served), (inner, value) =>
        value === null ? '' : `${inner.name}: ${value}`,
      )
    }
    assert.deepEqual(linesOf('address', BASE), ['label: Quay', 'price: 1'])
    assert.deepEqual(linesOf('zone', BASE), ['1 › text: one', '2 › text: two'])
    const menu = [{ id: 1, title: 'Mains', items: [{ id: 2, label: 'Soup', price: null }] }]
    assert.deepEqual(linesOf('menu', { menu }), ['1 › title: Mains', '1 › 1 › label: Soup'])
  })

  test('changes of different attributes are both kept', () => {
    assert.deepEqual(merge({ ...BASE, title: 'Mine' }, { ...BASE, zone: [] }, []), { title: 'Mine' })
  })

  test('a conflict is decided by the person', () => {
    const [mine, theirs] = [
      { ...BASE, title: 'Mine' },
      { ...BASE, title: 'Theirs' },
    ]
    assert.deepEqual(merge(mine, theirs, []), { title: 'Mine' })
    assert.deepEqual(merge(mine, theirs, ['title']), {})
  })

  test('an entry that the other person deleted is sent as a new one', () => {
    const mine = { ...BASE, zone: [{ ...BASE.zone[0], text: 'changed' }, BASE.zone[1]] }
    const theirs = { ...BASE, zone: [BASE.zone[0]] }
    assert.deepEqual(merge(mine, theirs, []), {
      zone: [
        { id: 1, __component: 'block.text', text: 'changed' },
        { __component: 'block.text', text: 'two' },
      ],
    })
  })
})
