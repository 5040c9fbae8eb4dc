/** Related documents. */
import { lazy } from 'react'
import { useSchema } from '../../shell/me.tsx'
import type { CellProps, FieldType } from '../field-type.ts'
import { equalityFilter } from '../shared/filters.ts'
import { LazyEditor } from '../shared/lazy-editor.tsx'
import { relatedOf, relatedTitle } from './related.ts'

const RelationInput = lazy(() => import('./relation-input.tsx'))

function Cell({ value, attribute }: CellProps) {
  const schema = useSchema()
  return relatedOf(value)
    .map((related) => relatedTitle(schema, attribute, related))
    .join(', ')
}

export const relation: FieldType = {
  Edit: (props) => <LazyEditor Editor={RelationInput} {...props} />,
  Cell,
  summary: (value) =>
    relatedOf(value)
      .map(({ documentId }) => documentId)
      .join(', '),
  filter: equalityFilter('document'),
  isSortable: false,
  isWide: false,
}
