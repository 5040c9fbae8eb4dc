import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseArguments, testFiles } from '../select-files.ts'

test('--fast is read by the test command, and every other option is passed on', () => {
  assert.deepEqual(parseArguments(['--fast', 'src/errors.test.ts', '--test-only']), {
    isFast: true,
    patterns: ['src/errors.test.ts'],
    options: ['--test-only'],
  })
})

test('the fast tier has the tests beside the code and of the content API, without the slow ones', () => {
  const fast = testFiles([], true)
  assert.ok(fast.includes('test/http/writes.test.ts'))
  for (const file of fast)
    assert.match(file, /^((admin\/)?src|test\/(attributes|http|query))\/.*(?<!\.slow)\.test\.ts$/)
})

test('without --fast every test runs', () => {
  const all = new Set(testFiles([], false))
  const slow = testFiles(['{src,test}/**/*.slow.test.ts'], false)
  assert.ok(slow.length > 0)
  for (const file of [...slow, ...testFiles([], true)]) assert.ok(all.has(file), file)
})
