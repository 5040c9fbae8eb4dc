/** Instants as `<input type="datetime-local">` has them: in the time zone of the browser, to the minute. */

const MINUTE = 60_000

/** Empty without an instant. */
export function localTimeOf(instant: string | null): string {
  if (instant === null) return ''
  const date = new Date(instant)
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE).toISOString().slice(0, 16)
}

/** Null without a time. */
export const instantOf = (localTime: string): string | null =>
  localTime === '' ? null : new Date(localTime).toISOString()
