import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProgram } from './program.ts'

const loaded = async (requested: string) =>
  (await createProgram(requested)).commands.map((command) => command.name())

test('only the commands that the first argument needs are loaded', async () => {
  for (const flag of ['-v', '--version']) assert.deepEqual(await loaded(flag), [], flag)
  assert.deepEqual(await loaded('compare'), ['compare'])
  for (const argument of ['--help', 'help', 'exprot'])
    assert.ok((await loaded(argument)).includes('migrate'), argument)
})
