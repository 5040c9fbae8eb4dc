import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { writeProcesses } from '../processes.ts'
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

test('every file runs once: slow ones and those that change their process alone, others together', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-processes-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const files = testFiles([], false)
  const processes = writeProcesses(files, folder).map(filesOf)
  assert.deepEqual(processes.flat().sort(), files)
  assert.ok(processes.length < files.length / 2)
  for (const file of [...testFiles(['test/**/*.slow.test.ts'], false), 'test/access/tokens.test.ts'])
    assert.ok(
      processes.some((together) => together.length === 1 && together[0] === file),
      file,
    )
})

const filesOf = (module: string) =>
  Array.from(readFileSync(module, 'utf8').matchAll(/import '(.+)'/g), ([, url = '']) =>
    relative(process.cwd(), fileURLToPath(url)),
  )
