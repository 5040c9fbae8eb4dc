import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diskFull, notStored } from '../media/storage/disk-failures.ts'
import { UnknownOutcome } from '../store/errors.ts'
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

test('a database or storage that is not available is explained, with the cause', () => {
  assert.equal(explain(diskFull()), 'The disk for uploaded files is full; nothing was stored')
  assert.equal(
    explain(notStored(systemError('EROFS', { syscall: 'mkdir', path: '/srv/site/public/uploads' }))),
    'The file could not be stored; try again later\n  Cannot read or write /srv/site/public/uploads: the file system is read-only',
  )
  assert.match(explain(new UnknownOutcome()), /^The connection to the database was lost/)
})

test('an invalid use is explained, and other errors are unexpected', () => {
  assert.equal(explain(new UsageError('Pass a file')), 'Pass a file')
  assert.match(explain(systemError('EACCES', { syscall: 'connect' })), /^Unexpected error: EACCES/)
  assert.match(explain(new TypeError('x is undefined')), /^Unexpected error: x is undefined\n.*OCTAVO_DEBUG/)
})
