/** A list of entries of different components. */
import { lazy } from 'react'
import type { FieldType } from '../field-type.ts'
import { LazyEditor } from '../shared/lazy-editor.tsx'

const ZoneInput = lazy(() => import('./zone-input.tsx'))

export const dynamiczone: FieldType = {
  Edit: (props) => <LazyEditor Editor={ZoneInput} {...props} />,
  summary: () => '',
  filter: null,
  isSortable: false,
  isWide: true,
}
