import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeOfPermissions } from '../../../../../src/access/roles/permissions.ts'
import type { Permission } from '../../../api/settings/roles.ts'
import { cellOf, grant, permissionsFor, restrict, revoke, withChanges } from './permission-cells.ts'

const ARTICLE = 'api::article.article'
const ACTIONS = [
  ...['find', 'findOne', 'create', 'update', 'delete', 'publish', 'unpublish', 'discard', 'readDrafts'],
  'readHistory',
]
const own = { filters: { createdBy: { $eq: 7 } } }
const LISTS: readonly (readonly Permission[])[] = [
  [],
  ['find'],
  ['find', '-readDrafts'],
  ['create', 'update', '-publish'],
  ['update', '-discard', 'readHistory'],
  [{ action: 'update', ...own }, 'create'],
  [{ action: 'find', fields: ['title'] }, 'publish'],
  ['upload', 'destroy'],
]

/** Whether the server permits an action. */
const isPermitted = (list: readonly Permission[], action: string) =>
  scopeOfPermissions({ [ARTICLE]: list }, { kind: 'public' }, null).may(ARTICLE, action)

test('a cell shows what the server permits', () => {
  for (const list of LISTS)
    for (const action of ACTIONS)
      assert.equal(
        cellOf(list, action).kind !== 'none',
        isPermitted(list, action),
        `${action} of ${JSON.stringify(list)}`,
      )
})

test('granting permits an action without restriction, revoking denies it, and other actions of the list stay', () => {
  for (const list of LISTS)
    for (const action of ACTIONS) {
      const granted = grant(list, action)
      const scope = scopeOfPermissions({ [ARTICLE]: granted }, { kind: 'public' }, null)
      assert.ok(scope.may(ARTICLE, action) && !scope.rule(ARTICLE, action), JSON.stringify(granted))
      assert.equal(isPermitted(revoke(list, action), action), false, `${action} of ${JSON.stringify(list)}`)
      assert.equal(isPermitted(revoke(granted, action), action), false)
      for (const other of ['find', 'create', 'update', 'delete'].filter((name) => name !== action))
        assert.deepEqual(cellOf(granted, other), cellOf(list, other))
    }
})

test('a restriction is on the documents and attributes that it names', () => {
  const restricted = restrict(['find', 'update', '-publish'], 'update', own)
  assert.deepEqual(cellOf(restricted, 'update'), { kind: 'restricted', isImplied: false, restriction: own })
  assert.equal(cellOf(restricted, 'publish').kind, 'none')
  assert.deepEqual(cellOf(restricted, 'discard'), { kind: 'restricted', isImplied: true, restriction: own })
})

test('types of the project without permissions of their own have those for every other type', () => {
  const permissions = { '*': ['find'], [ARTICLE]: [] }
  assert.deepEqual(permissionsFor(permissions, 'api::tag.tag'), ['find'])
  assert.deepEqual(permissionsFor(permissions, ARTICLE), [])
  assert.deepEqual(permissionsFor(permissions, 'plugin::upload.file'), [])
})

test('a type whose own permissions are removed has those for every other type', () => {
  const permissions = { '*': ['find'], [ARTICLE]: ['create'] }
  const changed = withChanges(permissions, { [ARTICLE]: null, 'api::tag.tag': [] })
  assert.deepEqual(changed, { '*': ['find'], 'api::tag.tag': [] })
  assert.deepEqual(permissionsFor(changed, ARTICLE), ['find'])
})
