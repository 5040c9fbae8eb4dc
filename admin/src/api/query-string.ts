/** Writes nested parameters in brackets: `{ a: { b: ['c'] } }` becomes `a[b][0]=c`. */
export function queryString(parameters: Readonly<Record<string, unknown>>): string {
  return Object.entries(parameters)
    .flatMap(([key, value]) => pairs(key, value))
    .join('&')
}

function pairs(key: string, value: unknown): string[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((item, index) => pairs(`${key}[${index}]`, item))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) =>
      pairs(`${key}[${encodeURIComponent(name)}]`, inner),
    )
  return [`${key}=${encodeURIComponent(String(value))}`]
}
