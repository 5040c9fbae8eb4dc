import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProgram } from './program.ts'

const loaded = async (...args: readonly string[]) =>
  (await createProgram(args)).commands.map((command) => command.name())

test('only the command that the arguments name is loaded', async () => {
  for (const flag of ['-v', '--version']) assert.deepEqual(await loaded(flag), [], flag)
  assert.deepEqual(await loaded('compare'), ['compare'])
  assert.deepEqual(await loaded('compare', 'export', 'help'), ['compare'])
  assert.deepEqual(await loaded('--help', 'compare'), ['compare'])
  assert.deepEqual(await loaded('help', 'compare'), ['compare'])
  for (const args of [[], ['--help'], ['help'], ['exprot'], ['help', 'exprot']])
    assert.ok((await loaded(...args)).includes('migrate'), args.join(' '))
})

test('the list of commands is the same as if all commands were loaded', async () => {
  const [all, listed] = [await createProgram(), await createProgram(['--help'])]
  assert.equal(listed.helpInformation(), all.helpInformation())
  assert.ok(all.commands.every(({ options, commands }) => options.length > 0 || commands.length > 0))
})
