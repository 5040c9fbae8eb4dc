/** Parses the `_q` parameter: text that any public text of a document contains, or the value of a public number. */
import { errors } from '../../errors.ts'
import { fieldType } from '../../plan/field-type.ts'
import type { AttributeSearch, ScoredSearch } from '../../plan/query-tree.ts'
import { fold } from '../../store/fold/fold.ts'
import { readableFields, type Subject } from '../find-name.ts'
import type { Param } from '../params.ts'
import { addValue, type ParseContext } from '../parse-context.ts'
import { storableValue } from './compare-integers.ts'

/** The condition of a search: one of its tests must hold. */
export interface Search {
  readonly kind: 'or'
  readonly all: readonly AttributeSearch[]
}

/** The condition of a search; null for an empty search. */
export function parseSearch(
  context: ParseContext,
  subject: Subject,
  input: Param | undefined,
): Search | null {
  if (input === undefined || input === '') return null
  if (typeof input !== 'string') throw errors.invalidParameter('_q', null, 'expected a string')
  const folded = fold(input)
  const all = readableFields(context, subject).flatMap(({ field, attribute }): AttributeSearch[] => {
    if (attribute.searchable === false) return []
    const { search, parseFilter } = fieldType(field)
    if (search === 'contains') {
      return [{ kind: 'text', field, op: 'contains', fold: true, value: addValue(context, folded) }]
    }
    if (search !== 'equals') return []
    // Parsed like a filter value, so that both find the same numbers.
    const number = parseFilter(input)
    const value = number.ok ? storableValue(field, number.value) : null
    return value === null ? [] : [{ kind: 'compare', field, op: 'eq', value: addValue(context, value) }]
  })
  return { kind: 'or', all }
}

/** A search as the sort order of its results. */
export const scoredSearch = (
  context: ParseContext,
  { all }: Search,
  input: Param | undefined,
): ScoredSearch => ({
  text: addValue(context, fold(String(input))),
  tests: all,
})
