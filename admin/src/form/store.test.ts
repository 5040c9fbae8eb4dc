import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFormStore, type FormStore } from './store.ts'

/** Counts how often the listener of a path is called. */
function counter(store: FormStore, path: string) {
  const calls = { count: 0 }
  store.subscribe(path, () => {
    calls.count += 1
  })
  return calls
}

describe('the values of a form', () => {
  test('a change notifies the listeners of its own path only', () => {
    const store = createFormStore(
      new Map([
        ['title', 'a'],
        ['body', 'b'],
      ]),
    )
    const [title, body] = [counter(store, 'title'), counter(store, 'body')]
    store.set('title', 'c')
    assert.equal(store.get('title'), 'c')
    assert.deepEqual([title.count, body.count], [1, 0])
  })

  test('the same value is not a change', () => {
    const store = createFormStore(new Map([['tags', ['a']]]))
    const tags = counter(store, 'tags')
    store.set('tags', ['a'])
    assert.equal(tags.count, 0)
    assert.equal(store.status().canUndo, false)
  })

  test('a value that is typed back to the saved one is saved again', () => {
    const store = createFormStore(new Map([['title', 'a']]))
    store.set('title', 'b')
    assert.equal(store.status().isDirty, true)
    store.set('title', 'a')
    assert.equal(store.status().isDirty, false)
    assert.equal(store.unsaved().size, 0)
  })

  test('the status changes with its members, not with every value', () => {
    const store = createFormStore(new Map([['title', 'a']]))
    let calls = 0
    store.subscribeToStatus(() => {
      calls += 1
    })
    store.set('title', 'b')
    store.set('title', 'c')
    assert.equal(calls, 1)
  })

  test('undo and redo restore removed values and several values at once', () => {
    const store = createFormStore(
      new Map<string, unknown>([
        ['rows', ['x']],
        ['rows/x/title', 'a'],
      ]),
    )
    store.setAll(
      new Map<string, unknown>([
        ['rows', []],
        ['rows/x/title', undefined],
      ]),
    )
    assert.equal(store.get('rows/x/title'), undefined)
    store.undo()
    assert.deepEqual([store.get('rows'), store.get('rows/x/title')], [['x'], 'a'])
    assert.equal(store.status().isDirty, false)
    store.redo()
    assert.deepEqual(store.get('rows'), [])
    assert.equal(store.status().canRedo, false)
  })

  test('typing in one field is one step of undo, in another field a second one', () => {
    const store = createFormStore(
      new Map([
        ['title', ''],
        ['body', ''],
      ]),
    )
    for (const text of ['H', 'He', 'Hel']) store.set('title', text)
    store.set('body', 'x')
    store.undo()
    assert.deepEqual([store.get('title'), store.get('body')], ['Hel', ''])
    store.undo()
    assert.equal(store.get('title'), '')
    assert.equal(store.status().canUndo, false)
  })

  test('an error disappears when its value changes', () => {
    const store = createFormStore(
      new Map([
        ['title', ''],
        ['zone/a/text', ''],
      ]),
    )
    store.setErrors(
      new Map([
        ['title', 'title is required'],
        ['zone/a/text', 'text is required'],
      ]),
    )
    assert.equal(store.status().problemCount, 2)
    assert.equal(store.hasErrorBelow('zone/a'), true)
    store.set('title', 'x')
    assert.equal(store.error('title'), undefined)
    assert.equal(store.error('zone/a/text'), 'text is required')
  })

  test('saved values of the server keep what was changed meanwhile', () => {
    const store = createFormStore(
      new Map([
        ['title', 'a'],
        ['body', 'b'],
      ]),
    )
    store.set('title', 'c')
    store.rebase(
      new Map([
        ['title', 'server'],
        ['body', 'server'],
      ]),
      new Map([['title', 'c']]),
    )
    assert.deepEqual([store.get('title'), store.get('body')], ['c', 'server'])
    assert.deepEqual([...store.unsaved()], [['title', 'c']])
  })

  test('the work of a change does not grow with the document', () => {
    const notified = (size: number) => {
      const values = new Map(Array.from({ length: size }, (_, index) => [`zone/${index}/text`, 'x']))
      const store = createFormStore(values)
      const counters = [...values.keys()].map((path) => counter(store, path))
      store.set('zone/1/text', 'y')
      return counters.reduce((sum, { count }) => sum + count, 0)
    }
    assert.equal(notified(10), 1)
    assert.equal(notified(5_000), 1)
  })
})
