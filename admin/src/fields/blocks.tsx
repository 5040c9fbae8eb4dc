/** Rich text as a list of blocks. */
import { lazy } from 'react'
import { plainTextOf } from './blocks/plain-text.ts'
import type { FieldType } from './field-type.ts'
import { LazyEditor } from './shared/lazy-editor.tsx'

const BlocksEditor = lazy(() => import('./blocks/blocks-editor.tsx'))

export const blocks: FieldType = {
  Edit: (props) => <LazyEditor Editor={BlocksEditor} {...props} />,
  summary: plainTextOf,
  filter: null,
  isSortable: false,
  isWide: true,
}
