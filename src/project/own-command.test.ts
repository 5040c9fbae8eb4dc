import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { ownProgram, projectArgument } from './own-command.ts'

const CHECKOUT = path.resolve(import.meta.dirname, '../..')

test('in a checkout, hints use its npm script; elsewhere the path of its command', () => {
  assert.equal(ownProgram(CHECKOUT), 'npm run octavo --')
  assert.equal(ownProgram('/'), `node ${CHECKOUT}/bin/octavo.js`)
})

test('hints repeat the project of the command, quoted for a shell, but not the database', () => {
  const argument = (...args: readonly string[]) => projectArgument(['node', 'octavo.js', 'migrate', ...args])
  assert.equal(argument(), '')
  assert.equal(
    argument('--project', '../site', '--database', 'postgres://a:secret@b/c'),
    ' --project ../site',
  )
  assert.equal(argument('--project=my site'), ` --project 'my site'`)
  assert.equal(argument('--project', "it's"), ` --project 'it'\\''s'`)
  assert.equal(argument('--project'), '')
})
