import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedFilter, childOf, fileParameters, parentOf, parseMediaSearch, pathTo } from './media-search.ts'

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
  assert.deepEqual(fileParameters({ kind: 'video', size: 'large' }).filters, {
    $and: [{ mime: { $startsWith: 'video/' } }, { size: { $gt: 10_000 } }],
  })
  const now = Date.parse('2026-03-08T10:40:00Z')
  assert.deepEqual(fileParameters({ date: 'week' }, now).filters, {
    $and: [{ createdAt: { $gte: '2026-03-01T10:00:00.000Z' } }],
  })
})

test('an attribute lists the kinds that it accepts', () => {
  assert.deepEqual(allowedFilter(['images']), { $or: [{ mime: { $startsWith: 'image/' } }] })
  assert.equal(allowedFilter(['images', 'videos', 'audios', 'files']), undefined)
  assert.equal(allowedFilter([]), undefined)
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
