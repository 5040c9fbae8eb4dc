import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean, nearest } from './suggest.ts'

const words = ['defaultLimit', 'maxLimit', 'compat', 'api::chef.chef', 'find', 'url']

test('finds the closest match of a misspelt word', () => {
  const slips = {
    maxLimt: 'maxLimit',
    maxlimit: 'maxLimit',
    defaultLmiit: 'defaultLimit',
    'api::cheff.cheff': 'api::chef.chef',
    fnid: 'find',
    compatt: 'compat',
    ulr: 'url',
  }
  for (const [slip, meant] of Object.entries(slips)) assert.equal(nearest(slip, words), meant)
})

test('suggests nothing if no word is close', () => {
  for (const word of ['', 'x', 'banana', 'limit', 'urgent', 'finished'])
    assert.equal(didYouMean(word, words), '')
})

test('suggests the closest of several matches', () => {
  assert.equal(didYouMean('cat', ['car', 'cats', 'cat1', 'cot']), '; did you mean "car"?')
  assert.equal(nearest('restaurants', ['restaurant', 'restaurantss', 'restaurants']), 'restaurants')
})
