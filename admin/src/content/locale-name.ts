/** What a locale is called. */
import type { Me } from '../api/types.ts'

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** The usual name of a locale; null when the browser does not know it. */
export function usualName(code: string): string | null {
  try {
    return names.of(code.replaceAll('_', '-')) ?? null
  } catch {
    return null
  }
}

/** The name that the project gives a locale, its usual name, or its code. */
export const localeName = (locales: Me['locales'], code: string): string =>
  new Map(Object.entries(locales.names)).get(code) ?? usualName(code) ?? code
