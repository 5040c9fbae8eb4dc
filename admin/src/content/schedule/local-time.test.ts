import assert from 'node:assert/strict'
import { it } from 'node:test'
import { instantOf, localTimeOf } from './local-time.ts'

it('an instant becomes a local time and the same instant again, also when the clocks change', () => {
  const before = process.env.TZ
  try {
    for (const zone of ['UTC', 'Europe/Rome', 'America/New_York', 'Asia/Kathmandu']) {
      process.env.TZ = zone
      for (const instant of [
        '2026-03-29T00:30:00.000Z',
        '2026-07-01T12:00:00.000Z',
        '2026-12-31T23:59:00.000Z',
      ])
        assert.equal(instantOf(localTimeOf(instant)), instant, `${zone} ${instant}`)
    }
    process.env.TZ = 'Europe/Rome'
    assert.equal(localTimeOf('2026-07-01T12:00:00.000Z'), '2026-07-01T14:00')
  } finally {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  }
  assert.deepEqual([localTimeOf(null), instantOf('')], ['', null])
})
