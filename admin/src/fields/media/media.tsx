/** Files of the media library. */
import { lazy } from 'react'
import { isImage, thumbnailOf } from '../../api/media.ts'
import type { CellProps, FieldType } from '../field-type.ts'
import { LazyEditor } from '../shared/lazy-editor.tsx'
import { filesOf } from './files.ts'
import styles from './media.module.css'

const MediaInput = lazy(() => import('./media-input.tsx'))

function Cell({ value }: CellProps) {
  const files = filesOf(value)
  const [first] = files
  if (!first) return null
  return (
    <span className={styles.cell}>
      {isImage(first) ? (
        <img
          className={styles.cellImage}
          src={thumbnailOf(first)}
          alt={first.alternativeText ?? ''}
          loading="lazy"
        />
      ) : (
        first.name
      )}
      {files.length > 1 && <span className={styles.more}>+{files.length - 1}</span>}
    </span>
  )
}

export const media: FieldType = {
  Edit: (props) => <LazyEditor Editor={MediaInput} {...props} />,
  Cell,
  summary: (value) =>
    filesOf(value)
      .map(({ name }) => name)
      .join(', '),
  filter: null,
  isSortable: false,
  isWide: false,
}
