/** The conditions that lists can be filtered by, for the kinds of values. */
import type { FieldFilter, FilterInput } from '../field-type.ts'

export const textFilter: FieldFilter = {
  operators: ['$containsi', '$notContainsi', '$eq', '$ne', '$startsWithi', '$endsWithi', '$null', '$notNull'],
  input: 'text',
}

export const orderedFilter = (input: FilterInput): FieldFilter => ({
  operators: ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$null', '$notNull'],
  input,
})

export const equalityFilter = (input: FilterInput): FieldFilter => ({
  operators: ['$eq', '$ne', '$null', '$notNull'],
  input,
})
