import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addMonths, dayOf, monthOf, weeksOf } from './month.ts'

it('a month has whole weeks that start on Monday and contain each of its days once', () => {
  const before = process.env.TZ
  try {
    for (const zone of ['UTC', 'Europe/Rome', 'America/New_York', 'Pacific/Auckland']) {
      process.env.TZ = zone
      for (let month = '2023-11'; month < '2028-03'; month = addMonths(month, 1)) {
        const weeks = weeksOf(month)
        const days = weeks.flat().map(dayOf)
        assert.ok(
          weeks.every((week) => week.length === 7 && week[0]?.getDay() === 1),
          `${zone} ${month}`,
        )
        assert.equal(new Set(days).size, days.length, `${zone} ${month}`)
        const [year, number] = month.split('-').map(Number)
        const length = new Date(year ?? 0, number ?? 0, 0).getDate()
        const own = weeks.flat().filter((day) => monthOf(day) === month)
        assert.equal(own.length, length, `${zone} ${month}`)
        assert.ok(weeks.every((week) => week.some((day) => monthOf(day) === month)))
      }
    }
  } finally {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  }
  assert.deepEqual([addMonths('2026-01', -1), addMonths('2026-12', 1)], ['2025-12', '2027-01'])
})
