/** How long a token is valid, as a choice of days. */
import { settingsTexts } from '../../texts/settings/settings.ts'

const { tokens: words } = settingsTexts

const DAY_MS = 86_400_000
const FOREVER = 'forever'

export const LIFETIMES = [
  ...Object.entries(words.lifetimes).map(([value, label]) => ({ value, label })),
  { value: FOREVER, label: words.forever },
]

/** Null for a token that does not expire. */
export const expiryOf = (lifetime: string) =>
  lifetime === FOREVER ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString()
