/** The locales of the project, as clients list them. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { onEachEngine } from '../support/engines.ts'
import { openGuide } from '../support/reference-server.ts'

onEachEngine((engine) => {
  it('locales are listed the same after every start', async () => {
    const url = await engine.freshUrl()
    const listed = async () => {
      const guide = await openGuide(url)
      try {
        return (await guide.ask('GET', '/api/i18n/locales')).text
      } finally {
        await guide.close()
      }
    }
    const first = await listed()
    assert.match(first, /"code":"fr"/)
    await setTimeout(5)
    assert.equal(await listed(), first)
  })
})
