import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Attributes, Schema } from '../draft/schema.ts'
import { BOX_WIDTH, layOut } from './layout.ts'

const schema = (uid: string, attributes: Attributes = {}): Schema => ({ uid, info: {}, attributes })
const to = (target: string) => ({ type: 'relation', relation: 'manyToOne', target })

describe('the diagram of the model', () => {
  test('what refers to others stands to the left of them, and each relation is one line', () => {
    const { boxes, lines } = layOut([
      schema('api::tag.tag', { books: { ...to('api::book.book'), mappedBy: 'tag' } }),
      schema('api::book.book', {
        tag: { ...to('api::tag.tag'), inversedBy: 'books' },
        seo: { type: 'component', component: 'shared.seo' },
      }),
      schema('shared.seo'),
    ])
    const x = (uid: string) => boxes.get(uid)?.x ?? Number.NaN
    assert.ok(x('api::book.book') < x('api::tag.tag'))
    assert.equal(x('api::tag.tag'), x('shared.seo'))
    assert.deepEqual(
      lines.map(({ attribute }) => attribute),
      ['tag', 'seo'],
    )
  })

  test('thirty types that all refer to each other do not overlap and fit on a few screens', () => {
    const uids = Array.from({ length: 30 }, (_, index) => `api::t${index}.t${index}`)
    const schemas = uids.map((uid, index) =>
      schema(uid, {
        next: to(uids[(index + 1) % 30] ?? ''),
        self: to(uid),
        far: to(uids[(index * 7) % 30] ?? ''),
      }),
    )
    const { boxes, width, height } = layOut(schemas)
    const all = [...boxes.values()]
    assert.equal(all.length, 30)
    for (const one of all)
      for (const other of all)
        assert.ok(
          one === other ||
            Math.abs(one.x - other.x) >= BOX_WIDTH ||
            one.y + one.height <= other.y ||
            other.y + other.height <= one.y,
          `${one.schema.uid} overlaps ${other.schema.uid}`,
        )
    for (const { x, y, height: own } of all)
      assert.ok(x >= 0 && y >= 0 && x + BOX_WIDTH <= width && y + own <= height)
  })

  test('an empty model is an empty diagram', () => {
    assert.equal(layOut([]).boxes.size, 0)
  })
})
