/** The days of a month as a calendar shows them: whole weeks that start on Monday, in the time zone of the browser. */

/** Such as `2026-11`. */
export type Month = string

const twoDigits = (number: number) => String(number).padStart(2, '0')

export const monthOf = (date: Date): Month => `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}`

/** Such as `2026-11-17`. */
export const dayOf = (date: Date): string => `${monthOf(date)}-${twoDigits(date.getDate())}`

const firstOf = (month: Month): Date => {
  const [year, number] = month.split('-').map(Number)
  return new Date(year ?? 0, (number ?? 1) - 1, 1)
}

/** `by` months later, or earlier for a negative number. */
export function addMonths(month: Month, by: number): Month {
  const first = firstOf(month)
  return monthOf(new Date(first.getFullYear(), first.getMonth() + by, 1))
}

const addDays = (date: Date, by: number) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + by)

/** The weeks that a month is in. The first and the last may have days of the months beside it. */
export function weeksOf(month: Month): readonly (readonly Date[])[] {
  const first = firstOf(month)
  // Sunday is 0, and the last day of a week.
  const start = addDays(first, -((first.getDay() + 6) % 7))
  const weeks: Date[][] = []
  for (let from = start; monthOf(from) <= month; from = addDays(from, 7))
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(from, index)))
  return weeks
}
