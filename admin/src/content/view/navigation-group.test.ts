import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withGroup } from './navigation-group.ts'

const me = (groups: Parameters<typeof withGroup>[0]['navigation']['groups']) => ({
  navigation: { groups },
  contentTypes: [{ uid: 'a' }, { uid: 'b' }],
})

test('a content-type moves to another group, and groups without types are removed', () => {
  const groups = [
    { name: 'One', types: ['a'] },
    { name: 'Two', types: ['b', 'removed'] },
  ]
  assert.deepEqual(withGroup(me(groups), 'a', 'Two'), { groups: [{ name: 'Two', types: ['b', 'a'] }] })
  assert.deepEqual(withGroup(me(groups), 'b', ''), { groups: [{ name: 'One', types: ['a'] }] })
  assert.deepEqual(withGroup(me([]), 'b', 'New'), { groups: [{ name: 'New', types: ['b'] }] })
})
