/** How long a token is valid, as a choice of days. */
import { texts } from '../../texts.ts'

const { tokens: words } = texts.settings

const DAY_MS = 86_400_000
const FOREVER = 'forever'

export const LIFETIMES = [
  ...Object.entries(words.lifetimes).map(([value, label]) => ({ value, label })),
  { value: FOREVER, label: words.forever },
]

/** Null for a token that does not expire. */
export const expiryOf = (lifetime: string) =>
  lifetime === FOREVER ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString()
