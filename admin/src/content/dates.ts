/** Dates as people read them, in the language and time zone of the browser. */
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'long' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Such as "5 minutes ago"; a date when it was more than a week ago. */
export function timeAgo(instant: string, now = Date.now()): string {
  const elapsed = new Date(instant).getTime() - now
  const distance = Math.abs(elapsed)
  if (distance < HOUR) return relative.format(Math.round(elapsed / MINUTE), 'minute')
  if (distance < DAY) return relative.format(Math.round(elapsed / HOUR), 'hour')
  if (distance < 7 * DAY) return relative.format(Math.round(elapsed / DAY), 'day')
  return day.format(new Date(instant))
}

export const formatInstant = (instant: string) => dayAndTime.format(new Date(instant))

/** A calendar date, such as 2024-02-29, without a time zone. */
export const formatDate = (date: string) => day.format(new Date(`${date}T00:00:00`))
