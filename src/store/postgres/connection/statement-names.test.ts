/** Which statements are prepared, and when they stop being so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStatementNames } from './statement-names.ts'

test('a statement gets a name when it is used for the second time', () => {
  const { nameOf, isCurrent } = createStatementNames()
  assert.equal(nameOf('SELECT 1'), null)
  const name = nameOf('SELECT 1')
  assert.ok(name !== null && isCurrent(name))
  assert.equal(nameOf('SELECT 1'), name)
})

test('the statement that was not used for the longest time loses its name, which is not used again', () => {
  const names = createStatementNames({ statements: 2, characters: 1_000 })
  const named = (sql: string) => names.nameOf(sql) ?? names.nameOf(sql)
  const [first, second] = [named('one'), named('two')]
  assert.equal(names.nameOf('one'), first)
  const third = named('three')
  assert.deepEqual(
    [first, second, third].map((name) => name !== null && names.isCurrent(name)),
    [true, false, true],
  )
  assert.equal(names.retired, 1)
  assert.notEqual(named('two'), second)
})

test('the characters of all statements with names are limited', () => {
  const names = createStatementNames({ statements: 100, characters: 1_000 })
  const all = Array.from({ length: 20 }, (_, index) => `SELECT ${index} ${'x'.repeat(300)}`)
  const given = all.flatMap((sql) => names.nameOf(sql) ?? names.nameOf(sql) ?? [])
  assert.equal(given.length, 20)
  assert.equal(given.filter(names.isCurrent).length, 3)
})

test('no statement has a name after all were forgotten, or the names were stopped', () => {
  const names = createStatementNames()
  const named = () => names.nameOf('SELECT 1') ?? names.nameOf('SELECT 1')
  const name = named()
  names.forgetAll()
  assert.ok(name !== null && !names.isCurrent(name))
  assert.notEqual(named(), name)
  names.stop()
  assert.equal(named(), null)
  assert.equal(names.retired, 2)
})

test('long statements are not prepared', () => {
  const { nameOf } = createStatementNames()
  const long = `SELECT '${'x'.repeat(40_000)}'`
  assert.equal(nameOf(long), null)
  assert.equal(nameOf(long), null)
})
