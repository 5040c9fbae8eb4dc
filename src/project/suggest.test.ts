import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean, nearest } from './suggest.ts'

const words = ['defaultLimit', 'maxLimit', 'compat', 'api::chef.chef', 'find', 'url']

test('the word that was probably meant is found', () => {
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

test('a word that is near to none gets no suggestion', () => {
  for (const word of ['', 'x', 'banana', 'limit', 'urgent', 'finished'])
    assert.equal(didYouMean(word, words), '')
})

test('the nearest of several is suggested', () => {
  assert.equal(didYouMean('cat', ['car', 'cats', 'cat1', 'cot']), '; did you mean "car"?')
  assert.equal(nearest('restaurants', ['restaurant', 'restaurantss', 'restaurants']), 'restaurants')
})
