/** The locales of the project, as clients list them. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { onEachEngine } from '../support/engines.ts'
import { startReferenceServer } from '../support/reference-server.ts'

onEachEngine((engine) => {
  it('lists the same locales after every start', async () => {
    const url = await engine.freshUrl()
    const listed = async () => {
      const api = await startReferenceServer(url)
      try {
        return (await api.send('GET', '/api/i18n/locales')).text
      } finally {
        await api.close()
      }
    }
    const first = await listed()
    assert.match(first, /"code":"fr"/)
    await setTimeout(5)
    assert.equal(await listed(), first)
  })
})
