/** The query string of a read as an example for people: without values, which may be personal data. */
import type { ParamObject } from '../../query/params.ts'

/** Long ones are cut: they are read by people. */
const MAX_LENGTH = 300
const REMOVED = '…'

/** The filters without their values, the search without its text, and the sort order of a query that was checked. */
export function exampleOf(params: ParamObject): string {
  const parts = [
    ...leaves('filters', params.filters).map(([name]) => `${name}=${REMOVED}`),
    ...(params._q === undefined ? [] : [`_q=${REMOVED}`]),
    // Only names of attributes and directions pass the check of a query.
    ...leaves('sort', params.sort).map(([name, value]) => `${name}=${value}`),
  ]
  const text = parts.join('&')
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}${REMOVED}` : text
}

function leaves(name: string, value: unknown): readonly (readonly [name: string, value: string])[] {
  if (value === undefined) return []
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, inner]) => leaves(`${name}[${key}]`, inner))
}
