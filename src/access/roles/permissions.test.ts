import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '../../query/scope.ts'
import { fullAccess, LOCALE, permissionSyntaxErrors, readOnly, scopeOfPermissions } from './permissions.ts'

const ARTICLE = 'api::article.article'
const nobody: Principal = { kind: 'public' }
const alice = { id: 5, documentId: 'aaaa', username: 'alice', email: 'alice@example.test', role: 'author' }
const bob = { id: 6, documentId: 'bbbb', username: 'bob', email: 'bob@example.test', role: 'author' }

test('a scope allows only what its permissions grant', () => {
  const scope = scopeOfPermissions({ [ARTICLE]: ['find'] }, nobody, null)
  assert.equal(scope.may(ARTICLE, 'find'), true)
  for (const action of ['findOne', 'create', 'update', 'delete', 'publish', 'constructor', '__proto__'])
    assert.equal(scope.may(ARTICLE, action), false, action)
  for (const type of ['api::tag.tag', 'constructor', '__proto__', ''])
    assert.equal(scope.may(type, 'find'), false, type)
})

test('create and update imply publish unless it is removed', () => {
  const free = scopeOfPermissions({ [ARTICLE]: ['create'] }, nobody, null)
  const held = scopeOfPermissions({ [ARTICLE]: ['create', 'update', '-publish'] }, nobody, null)
  assert.equal(free.may(ARTICLE, 'publish'), true)
  assert.equal(free.may(ARTICLE, 'unpublish'), false)
  assert.equal(held.may(ARTICLE, 'publish'), false)
  assert.equal(held.may(ARTICLE, 'unpublish'), false)
  assert.equal(held.may(ARTICLE, 'update'), true)
  assert.equal(scopeOfPermissions({ [ARTICLE]: ['update'] }, nobody, null).may(ARTICLE, 'unpublish'), true)
})

test('find implies readDrafts unless it is removed', () => {
  const free = scopeOfPermissions({ [ARTICLE]: ['find'] }, nobody, null)
  const held = scopeOfPermissions({ [ARTICLE]: ['find', 'findOne', '-readDrafts'] }, nobody, null)
  assert.equal(free.may(ARTICLE, 'readDrafts'), true)
  assert.equal(held.may(ARTICLE, 'readDrafts'), false)
})

test("a rule is filled in with the caller's values", () => {
  const permissions = {
    [ARTICLE]: [{ action: 'update', filters: { author: { id: { $eq: '$user.id' } } }, fields: ['title'] }],
  }
  const scope = scopeOfPermissions(permissions, nobody, alice)
  assert.deepEqual(scope.rule(ARTICLE, 'update'), {
    filters: { author: { id: { $eq: 5 } } },
    fields: ['title'],
  })
})

test('an implied action covers the same documents', () => {
  const permissions = { [ARTICLE]: ['create', { action: 'update', filters: { author: '$user.id' } }] }
  const scope = scopeOfPermissions(permissions, nobody, alice)
  for (const action of ['publish', 'unpublish', 'discard'])
    assert.deepEqual(scope.rule(ARTICLE, action), { filters: { author: 5 }, isImplied: true }, action)
})

test('a rule with $user grants nothing to a caller who is not a user or lacks the value', () => {
  const permissions = { [ARTICLE]: [{ action: 'find', filters: { $or: [{ mail: '$user.email' }] } }] }
  assert.equal(scopeOfPermissions(permissions, nobody, null).may(ARTICLE, 'find'), false)
  assert.equal(scopeOfPermissions(permissions, nobody, { ...alice, email: null }).may(ARTICLE, 'find'), false)
  assert.equal(scopeOfPermissions(permissions, nobody, alice).may(ARTICLE, 'find'), true)
})

test('two scopes have the same key only if they grant the same', () => {
  const plain = { [ARTICLE]: ['find'] }
  const own = { [ARTICLE]: [{ action: 'find', filters: { author: { id: '$user.id' } } }] }
  const key = (permissions: typeof plain | typeof own, user: typeof alice | null) =>
    scopeOfPermissions(permissions, nobody, user).key
  assert.equal(key(plain, alice), key(plain, bob))
  assert.equal(key(plain, alice), key(plain, null))
  assert.notEqual(key(own, alice), key(own, bob))
  assert.notEqual(key(own, alice), key(plain, alice))
  assert.notEqual(key({ [ARTICLE]: ['find', 'findOne'] }, alice), key(plain, alice))
})

test('a read-only token can read every type but not the list of locales', () => {
  const scope = readOnly({ kind: 'token', id: 1, name: 'reader' })
  for (const type of [ARTICLE, 'plugin::users-permissions.user', 'plugin::upload.file']) {
    assert.equal(scope.may(type, 'find'), true)
    assert.equal(scope.may(type, 'findOne'), true)
    for (const action of ['create', 'update', 'delete', 'publish', 'upload', 'destroy'])
      assert.equal(scope.may(type, action), false, action)
  }
  assert.equal(scope.may(LOCALE, 'find'), false)
  assert.equal(fullAccess({ kind: 'token', id: 1, name: 'all' }).may(LOCALE, 'find'), true)
})

test('an action and its alias are the same', () => {
  const scope = scopeOfPermissions({ 'plugin::upload.file': ['upload', 'destroy'] }, nobody, null)
  for (const action of ['upload', 'create', 'destroy', 'delete'])
    assert.equal(scope.may('plugin::upload.file', action), true, action)
})

test('malformed permissions are reported', () => {
  const malformed: [unknown, RegExp][] = [
    [null, /must be an object/],
    [{ article: ['find'] }, /article is not the uid/],
    [JSON.parse('{"__proto__": ["find"]}'), /__proto__ is not the uid/],
    [{ [ARTICLE]: 'find' }, /must be a list/],
    [{ [ARTICLE]: [7] }, /a permission must be an action/],
    [{ [ARTICLE]: ['find it'] }, /invalid action find it/],
    [{ [ARTICLE]: ['-find'] }, /unknown removal -find/],
    [{ [ARTICLE]: ['find', 'find'] }, /duplicate action find/],
    [{ [ARTICLE]: [{ action: 'find', where: {} }] }, /unknown key where/],
    [{ [ARTICLE]: [{ action: 'find', filters: [] }] }, /filters of find/],
    [{ [ARTICLE]: [{ action: 'find', fields: [1] }] }, /fields of find/],
    [{ [ARTICLE]: [{ action: 'find', filters: { a: '$user.password' } }] }, /unknown value \$user\.password/],
  ]
  for (const [permissions, message] of malformed)
    assert.match(permissionSyntaxErrors(permissions).join('; '), message, JSON.stringify(permissions))
  assert.deepEqual(
    permissionSyntaxErrors({ [ARTICLE]: ['find', { action: 'update', fields: ['title'] }] }),
    [],
  )
})
