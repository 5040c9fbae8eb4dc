import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allowedParameters,
  childOf,
  fileParameters,
  parentOf,
  parseMediaSearch,
  pathTo,
} from './media-search.ts'

test('the URL of the library is read, and what is not valid is ignored', () => {
  const search = { folder: '/a/b', q: 2024, kind: 'image', unused: true, sort: 'name:asc', view: 'list' }
  assert.deepEqual(parseMediaSearch(search), { ...search, q: '2024' })
  assert.deepEqual(
    parseMediaSearch({ folder: 'a', q: '', kind: 'x', unused: 'yes', sort: 'x', view: 'x', more: 1 }),
    {},
  )
})

test('files are listed in their folder, and searched for in all folders', () => {
  assert.deepEqual(fileParameters({}), { sort: 'id:desc', folder: '/' })
  assert.deepEqual(fileParameters({ folder: '/a', sort: 'name:asc' }), { sort: 'name:asc', folder: '/a' })
  assert.deepEqual(fileParameters({ folder: '/a', unused: true }), { sort: 'id:desc', unused: 'true' })
  assert.deepEqual(fileParameters({ kind: 'video', size: 'large' }), {
    sort: 'id:desc',
    kind: 'video',
    filters: { $and: [{ size: { $gt: 10_000 } }] },
  })
  assert.equal(fileParameters({ kind: 'document' }).kind, 'file')
  const now = Date.parse('2026-03-08T10:40:00Z')
  assert.deepEqual(fileParameters({ date: 'week' }, now).filters, {
    $and: [{ createdAt: { $gte: '2026-03-01T10:00:00.000Z' } }],
  })
})

test('an attribute lists the kinds that it accepts', () => {
  assert.deepEqual(allowedParameters(['images']), { kind: 'image' })
  assert.deepEqual(allowedParameters(['images', 'videos']), {
    filter: { $or: [{ mime: { $startsWith: 'image/' } }, { mime: { $startsWith: 'video/' } }] },
  })
  assert.deepEqual(allowedParameters(['images', 'videos', 'audios', 'files']), {})
  assert.deepEqual(allowedParameters([]), {})
})

test('paths of folders lead up and down', () => {
  assert.deepEqual(pathTo('/a/b'), [
    { name: 'a', path: '/a' },
    { name: 'b', path: '/a/b' },
  ])
  assert.deepEqual(
    [parentOf('/a/b'), parentOf('/a'), childOf('/', 'a'), childOf('/a', 'b')],
    ['/a', '/', '/a', '/a/b'],
  )
})
