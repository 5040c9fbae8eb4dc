import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explain, UsageError } from './error-message.ts'

const systemError = (code: string, details: object = {}) =>
  Object.assign(new Error(`${code}: failed`), { code, ...details })

test('a failure of the file system is explained, and is not unexpected', () => {
  assert.equal(
    explain(systemError('EACCES', { syscall: 'mkdir', path: '/srv/site/public/uploads' })),
    'Cannot read or write /srv/site/public/uploads: permission denied',
  )
  const full = systemError('ENOSPC', { syscall: 'write' })
  assert.equal(explain(full), 'Cannot write a file: no space left on the disk')
})

test('an invalid use is explained, and other errors are unexpected', () => {
  assert.equal(explain(new UsageError('Pass a file')), 'Pass a file')
  assert.match(explain(systemError('EACCES', { syscall: 'connect' })), /^Unexpected error: EACCES/)
  assert.match(explain(new TypeError('x is undefined')), /^Unexpected error: x is undefined\n.*OCTAVO_DEBUG/)
})
