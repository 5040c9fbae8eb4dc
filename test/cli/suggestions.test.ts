/** Misspelt commands, options and names: the error suggests the closest match, and the exit code is 1. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { octavo } from '../support/command.ts'
import { createProjectFolder } from '../support/project-folder.ts'

const MISSPELT: readonly [readonly string[], RegExp][] = [
  [['exprot', 'x'], /Did you mean export\?/],
  [['token', 'creat'], /Did you mean create\?/],
  [['media', 'sweap'], /Did you mean sweep\?/],
  [['import', 'x', '--replac'], /Did you mean --replace\?/],
  [['export', 'x', '--without-meda'], /Did you mean --without-media\?/],
  [['doctor', '--projct', '.'], /Did you mean --project\?/],
  [['new', '--emty'], /Did you mean --empty\?/],
  [['export'], /missing required argument/],
  [['help', 'exprot'], /^error: unknown command 'exprot'\n\(Did you mean export\?\)/],
  [['help', 'nope'], /^error: unknown command 'nope'\n\nUsage: octavo /],
  [['token', 'help', 'creat'], /^error: unknown command 'creat'\n\(Did you mean create\?\)/],
]

for (const [args, message] of MISSPELT)
  test(`octavo ${args.join(' ')} prints a suggestion`, async () => {
    const { code, err } = await octavo(args)
    assert.equal(code, 1)
    assert.match(err, message)
    assert.match(err, /--help/)
  })

for (const action of ['retry', 'cancel'])
  test(`octavo jobs ${action} names an id that is not a number`, async () => {
    const { code, err } = await octavo(['jobs', action, 'abc'])
    assert.equal(code, 1)
    assert.match(err, /value 'abc' is invalid for argument 'id'\. Expected a positive number/)
  })

test('an empty path for an export is refused before anything is read', async (t) => {
  const folder = createProjectFolder(t, { 'octavo.config.json': {} })
  const { code, err } = await octavo(['export', '', '--project', folder])
  assert.deepEqual([code, err], [1, 'The path of the file to write is empty\n'])
})

test('the error for a misspelt token suggests the closest match', async (t) => {
  const folder = createProjectFolder(t, { 'octavo.config.json': {} })
  const made = await octavo(['token', 'create', 'deploy', '--project', folder])
  assert.equal(made.code, 0, made.err)
  const { code, err } = await octavo(['token', 'revoke', 'depoly', '--project', folder])
  assert.equal(code, 1)
  assert.match(err, /did you mean "deploy"\?/)
})
