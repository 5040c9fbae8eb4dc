/** An entry of a component, or a list of them. */
import { lazy } from 'react'
import type { FieldType } from '../field-type.ts'
import { LazyEditor } from '../shared/lazy-editor.tsx'

const ComponentInput = lazy(() => import('./component-input.tsx'))

export const component: FieldType = {
  Edit: (props) => <LazyEditor Editor={ComponentInput} {...props} />,
  summary: () => '',
  filter: null,
  isSortable: false,
  isWide: true,
}
