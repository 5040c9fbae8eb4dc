/** Rich text as a list of blocks. */
import { lazy } from 'react'
import type { FieldType } from '../field-type.ts'
import { LazyEditor } from '../shared/lazy-editor.tsx'
import { plainTextOf } from './plain-text.ts'

const BlocksEditor = lazy(() => import('./blocks-editor.tsx'))

export const blocks: FieldType = {
  Edit: (props) => <LazyEditor Editor={BlocksEditor} {...props} />,
  summary: plainTextOf,
  filter: null,
  isSortable: false,
  isWide: true,
}
