/** Any JSON, edited as text. */
import { lazy } from 'react'
import type { FieldType } from '../field-type.ts'
import { LazyEditor } from '../shared/lazy-editor.tsx'

const JsonEditor = lazy(() => import('./json-editor.tsx'))

export const json: FieldType = {
  Edit: (props) => <LazyEditor Editor={JsonEditor} {...props} />,
  summary: (value) => (value === null || value === undefined ? '' : JSON.stringify(value)),
  filter: null,
  isSortable: false,
  isWide: true,
}
