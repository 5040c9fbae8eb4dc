/** Builds query strings in bracket notation: `{ a: { b: ['c'] } }` becomes `a[b][0]=c`. */

/** The query string with its question mark; empty if there are no parameters. */
export function queryString(parameters: object): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => pairsOf(name, value))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function pairsOf(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object' || value instanceof Date)
    return [`${encodeURIComponent(name)}=${encoded(value)}`]
  return Object.entries(value).flatMap(([key, inner]) => pairsOf(`${name}[${key}]`, inner))
}

const encoded = (value: unknown) =>
  encodeURIComponent(value instanceof Date ? value.toISOString() : String(value))
