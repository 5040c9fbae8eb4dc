/** Markdown. */
import { lazy } from 'react'
import type { FieldType } from '../field-type.ts'
import { textFilter } from '../shared/filters.ts'
import { LazyEditor } from '../shared/lazy-editor.tsx'
import { textOf } from '../text/text-field.tsx'

const MarkdownEditor = lazy(() => import('./markdown-editor.tsx'))

export const richtext: FieldType = {
  Edit: (props) => <LazyEditor Editor={MarkdownEditor} {...props} />,
  summary: textOf,
  filter: textFilter,
  isSortable: false,
  isWide: true,
}
