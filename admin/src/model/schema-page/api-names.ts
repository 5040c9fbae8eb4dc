/** Suggests names for the API from the names that people write. Pure. */

/** `Front Page` becomes `front-page`. */
export const apiName = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')

/** The usual English plural; people can write another. */
export function pluralOf(singular: string): string {
  if (singular === '') return ''
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/.test(singular) ? `${singular}es` : `${singular}s`
}
