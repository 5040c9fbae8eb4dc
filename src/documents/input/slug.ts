/** Makes a part of a path of a text. The admin app uses this too. */
import { transliterate } from './transliterate.ts'

/** A longer uid is of no use in a path, whatever the attribute allows. */
export const MAX_SLUG_LENGTH = 200

/** Lower-case letters, digits and single hyphens. Empty if the text has no letter that can be spelled with them. */
export const slugOf = (text: string) =>
  transliterate(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The start of a slug, without hyphens at its end. */
export const cutSlug = (slug: string, length: number) => slug.slice(0, Math.max(length, 0)).replace(/-$/, '')
