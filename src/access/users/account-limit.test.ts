/** The rate at which failures of one account are admitted, with a clock of the test. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { serve, type TestServer } from '../../../test/support/server.ts'
import { createAccountLimit } from './account-limit.ts'

const WINDOW = 600
const PER_ACCOUNT = 20
const INTERVAL = (WINDOW / PER_ACCOUNT) * 1000
const limit = { windowSeconds: WINDOW, perIdentifier: 20, perAddress: 500, perAccount: PER_ACCOUNT }

onEachEngine((engine) => {
  let running: TestServer
  let clock = Date.parse('2030-01-01')
  before(async () => {
    running = await serve(new Map(), await engine.freshUrl())
  })
  after(() => running?.close())

  const open = () =>
    createAccountLimit({ store: running.server.store, limit, secret: 'a secret', now: () => clock })
  const isAdmitted = (account: string, address: string) =>
    open()
      .count(account, address)
      .then(
        () => true,
        () => false,
      )
  const admitted = async (account: string, attempts: number, address: (attempt: number) => string) => {
    const results = await Promise.all(
      Array.from({ length: attempts }, (_, attempt) => isAdmitted(account, address(attempt))),
    )
    return results.filter((result) => result).length
  }
  const elsewhere = (attempt: number) => `elsewhere ${attempt}`

  test('concurrent attempts are limited together, and then one is admitted per interval', async () => {
    assert.equal(await admitted('ada', 2 * PER_ACCOUNT, elsewhere), PER_ACCOUNT)
    for (let step = 0; step < 3; step++) {
      clock += INTERVAL - 1
      assert.equal(await admitted('ada', 2, elsewhere), 0)
      clock += 1
      assert.equal(await admitted('ada', 2, elsewhere), 1)
    }
    clock += WINDOW * 1000
    assert.equal(await admitted('ada', 2 * PER_ACCOUNT, elsewhere), PER_ACCOUNT)
  })

  test('a known address is admitted for thirty days', async () => {
    await open().succeed('bob', 'home', await open().count('bob', 'home'))
    clock += 29 * 24 * 3_600_000
    assert.equal(await admitted('bob', 2 * PER_ACCOUNT, elsewhere), PER_ACCOUNT)
    assert.equal(await isAdmitted('bob', 'home'), true)
    assert.equal(await admitted('eve', 2 * PER_ACCOUNT, elsewhere), PER_ACCOUNT)
    assert.equal(await isAdmitted('eve', 'home'), false, 'known for another account')
    clock += 2 * 24 * 3_600_000
    await admitted('bob', 2 * PER_ACCOUNT, elsewhere)
    assert.equal(await isAdmitted('bob', 'home'), false)
  })

  test('what is forgiven is deleted, and neither accounts nor addresses are stored in clear', async () => {
    clock += 40 * 24 * 3_600_000
    await open().succeed('carol', 'office', await open().count('carol', 'office'))
    await open().count('dave', 'office')
    const { store } = running.server
    const failures = await store.read({ sql: 'select * from octavo_sign_in_failures', parameters: [] })
    const known = await store.read({ sql: 'select * from octavo_known_addresses', parameters: [] })
    assert.deepEqual([failures.length, known.length], [1, 1])
    assert.doesNotMatch(JSON.stringify([failures, known]), /carol|dave|office/)
  })
})
