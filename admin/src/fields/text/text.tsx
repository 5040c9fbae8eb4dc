/** Text of several lines. */
import { lazy } from 'react'
import type { FieldType } from '../field-type.ts'
import { textFilter } from '../shared/filters.ts'
import { LazyInput } from '../shared/lazy-editor.tsx'
import { textOf } from './text-field.tsx'

const TextArea = lazy(() => import('./text-area.tsx'))

export const text: FieldType = {
  Edit: (props) => (
    <LazyInput {...props} height={86}>
      <TextArea {...props} />
    </LazyInput>
  ),
  summary: textOf,
  filter: textFilter,
  isSortable: true,
  isWide: true,
}
