import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LimitByRole } from '../project/config/config.ts'
import { type Principal, systemScope } from '../query/scope.ts'
import { createCallerLimits } from './caller-limits.ts'

const PUBLIC: Principal = { kind: 'public' }
const TOKEN: Principal = { kind: 'token', id: 3, name: 'a token' }
const userWith = (role: string): Principal => ({ kind: 'user', id: 7, documentId: 'd', role })

const limitsOf = (principal: Principal, readMs: LimitByRole) =>
  createCallerLimits({ readMs, responseBytes: 1_000 })(
    { ...systemScope, principal },
    { address: () => '192.0.2.1', isDisconnected: () => false },
  )

describe('the limits of a caller', () => {
  it('are those of the role, then of the others, then the defaults', () => {
    const time = (principal: Principal, readMs: LimitByRole) => limitsOf(principal, readMs).milliseconds
    assert.equal(time(PUBLIC, 300), 300)
    assert.equal(time(userWith('editor'), 300), 300)
    assert.equal(time(userWith('editor'), { editor: 500, others: 400 }), 500)
    assert.equal(time(userWith('author'), { editor: 500, others: 400 }), 400)
    assert.equal(time(TOKEN, { editor: 500, others: 400 }), 400)
    assert.equal(time(TOKEN, { editor: 500 }), 10_000)
    assert.equal(time(PUBLIC, { public: 100, others: 400 }), 100)
    assert.equal(limitsOf(PUBLIC, {}).bytes, 1_000)
  })

  it('are raised for the public only by name', () => {
    assert.equal(limitsOf(PUBLIC, { others: 60_000 }).milliseconds, 2_000)
  })

  it('are not found under the names of properties that every object has', () => {
    assert.equal(limitsOf(userWith('constructor'), { others: 400 }).milliseconds, 400)
  })

  it('belong to a credential, or to an address', () => {
    const callers = [PUBLIC, TOKEN, userWith('editor')].map((principal) => limitsOf(principal, 300).caller())
    assert.deepEqual(callers, ['address 192.0.2.1', 'token 3', 'user 7'])
  })

  it('do not exist for the server itself', () => {
    const { milliseconds, bytes } = limitsOf({ kind: 'system' }, 300)
    assert.deepEqual([milliseconds, bytes], [Infinity, Infinity])
  })
})
