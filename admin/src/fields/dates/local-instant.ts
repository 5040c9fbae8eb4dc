/** Instants as `datetime-local` inputs have them: in the time zone of the browser, with seconds where there are any. */

const two = (value: number) => String(value).padStart(2, '0')

/** The value of a `datetime-local` input; seconds only when there are any. What is not an instant is shown as it was entered. */
export function toLocal(instant: string): string {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return instant
  const date = `${at.getFullYear().toString().padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  const seconds = at.getSeconds() === 0 && at.getMilliseconds() === 0 ? '' : `:${two(at.getSeconds())}`
  const fraction = at.getMilliseconds() === 0 ? '' : `.${String(at.getMilliseconds()).padStart(3, '0')}`
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}${seconds}${fraction}`
}

/** The instant of a `datetime-local` input; null when it is empty. The server says what is wrong with a year of five digits. */
export function fromLocal(local: string): string | null {
  if (local === '') return null
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? local : at.toISOString()
}
