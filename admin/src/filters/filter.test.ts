import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { queryString } from '../api/query-string.ts'
import { parseListSearch } from '../content/list/list-search.ts'
import { completeFilter, type FilterGroup, filtersParameter, parseFilterGroup } from './filter.ts'

const group: FilterGroup = {
  kind: 'group',
  match: 'all',
  of: [
    { kind: 'condition', attribute: 'district.name', operator: '$containsi', value: 'harbour' },
    {
      kind: 'group',
      match: 'any',
      of: [
        { kind: 'condition', attribute: 'rating', operator: '$gte', value: '4.5' },
        { kind: 'condition', attribute: 'cover', operator: '$null', value: '' },
      ],
    },
  ],
}

describe('the filters of a list', () => {
  test('groups, paths through relations and conditions without a value become parameters of the API', () => {
    assert.equal(
      decodeURIComponent(queryString({ filters: filtersParameter(group) })),
      'filters[$and][0][district][name][$containsi]=harbour&filters[$and][1][$or][0][rating][$gte]=4.5&filters[$and][1][$or][1][cover][$null]=true',
    )
  })

  test('a filter in a URL is read back as it was', () => {
    assert.deepEqual(parseFilterGroup(JSON.parse(JSON.stringify(group))), group)
  })

  test('conditions without a value are left out', () => {
    const incomplete = { kind: 'condition', attribute: 'name', operator: '$eq', value: '' } as const
    assert.deepEqual(completeFilter({ ...group, of: [...group.of, incomplete] }), group)
    assert.equal(completeFilter({ ...group, of: [incomplete] }), undefined)
  })

  test('an address that someone has tampered with opens the list without what is not valid', () => {
    const search = {
      q: 12,
      filter: { of: [{ attribute: 'a', operator: '$drop' }] },
      status: 'x',
      sort: [1],
      columns: 'a',
    }
    assert.deepEqual(parseListSearch(search), { q: '12' })
  })
})
