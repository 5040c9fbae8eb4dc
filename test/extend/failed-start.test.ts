/** A start that fails closes everything it opened. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PROJECT } from '../access/project.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve } from '../support/server.ts'

onEachEngine((engine) => {
  it('closes everything when the last step of the start fails', async (t) => {
    const url = await engine.freshUrl()
    const began = t.mock.method(globalThis, 'setInterval')
    const ended = t.mock.method(globalThis, 'clearInterval')
    let closed = false
    const routes = (app: { addHook(name: 'onClose', hook: () => Promise<void>): unknown }) => {
      app.addHook('onClose', async () => {
        closed = true
      })
      throw new Error('The routes cannot be added')
    }
    await assert.rejects(serve(PROJECT, url, {}, { routes }), /The routes cannot be added/)
    const timers = began.mock.calls.map(({ result }) => result)
    const cleared = ended.mock.calls.map(({ arguments: [timer] }) => timer)
    assert.ok(timers.length > 1)
    assert.deepEqual(
      timers.map((timer) => cleared.includes(timer)),
      timers.map(() => true),
    )
    assert.ok(closed)
    await (await serve(PROJECT, url)).close()
  })
})
