import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Filter, type FilterGroup, filtersParameter } from './filter.ts'
import { groupOfFilters } from './filters-json.ts'

const condition = fc.record({
  kind: fc.constant('condition' as const),
  attribute: fc.constantFrom('title', 'owner.id', 'createdBy'),
  operator: fc.constantFrom('$eq' as const, '$containsi' as const, '$null' as const),
  value: fc.constantFrom('$user.id', 'x', '7'),
})
const group = (of: fc.Arbitrary<Filter>): fc.Arbitrary<FilterGroup> =>
  fc.record({
    kind: fc.constant('group' as const),
    match: fc.constantFrom('all' as const, 'any' as const),
    of: fc.array(of, { minLength: 1, maxLength: 3 }),
  })

test('what the builder writes, it reads again', () => {
  fc.assert(
    fc.property(group(fc.oneof(condition, group(condition))), (written) => {
      const filters = filtersParameter(written)
      const read = groupOfFilters(filters)
      assert.ok(read)
      assert.deepEqual(filtersParameter(read), filters)
    }),
  )
})

test('filters that people write by hand are read', () => {
  assert.deepEqual(groupOfFilters({ owner: { id: '$user.id' }, rank: { $gte: 3 }, end: { $null: false } }), {
    kind: 'group',
    match: 'all',
    of: [
      { kind: 'condition', attribute: 'owner.id', operator: '$eq', value: '$user.id' },
      { kind: 'condition', attribute: 'rank', operator: '$gte', value: '3' },
      { kind: 'condition', attribute: 'end', operator: '$notNull', value: '' },
    ],
  })
})

test('filters that the builder does not offer are left to be edited as JSON', () => {
  for (const filters of [
    { $not: { title: 'x' } },
    { title: { $in: ['a', 'b'] } },
    { owner: { $or: [{ id: 1 }] } },
    { title: { $eq: null } },
  ])
    assert.equal(groupOfFilters(filters), null, JSON.stringify(filters))
})
