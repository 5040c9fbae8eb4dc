import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { confirm } from './confirm.ts'
import { UsageError } from './error-message.ts'

/** What becomes of a question on a terminal on which these keys are pressed. */
async function answered(keys: string): Promise<string> {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = Object.assign(new PassThrough(), { isTTY: true })
  output.resume()
  const asked = confirm('Delete all of it?', {}, { input, output })
  input.write(keys)
  return asked.then(
    () => 'confirmed',
    (failure: unknown) => {
      assert.ok(failure instanceof UsageError, String(failure))
      return failure.message.trim()
    },
  )
}

test('only yes confirms', async () => {
  assert.equal(await answered('yes\r'), 'confirmed')
  assert.equal(await answered('y\r'), 'Nothing was changed.')
})

test('Ctrl-C and Ctrl-D decline', async () => {
  assert.equal(await answered('\x03'), 'Nothing was changed.')
  assert.equal(await answered('\x04'), 'Nothing was changed.')
})
