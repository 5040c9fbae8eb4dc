/** Builds the types whose value is a number. */
import { lazy } from 'react'
import type { FieldType } from '../field-type.ts'
import { orderedFilter } from '../shared/filters.ts'
import { LazyInput } from '../shared/lazy-editor.tsx'

const NumberInput = lazy(() => import('./number-input.tsx'))

export const numberField = (hasFraction: boolean): FieldType => ({
  Edit: (props) => (
    <LazyInput {...props}>
      <NumberInput {...props} hasFraction={hasFraction} />
    </LazyInput>
  ),
  summary: (value) =>
    typeof value === 'number' ? value.toLocaleString() : typeof value === 'string' ? value : '',
  filter: orderedFilter('number'),
  isSortable: true,
  isWide: false,
})
