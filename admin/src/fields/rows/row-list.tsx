/** The entries of a component or dynamic zone. A closed entry is one line; its fields are not in the page. */
import { useMemo } from 'react'
import { useForm, useValue } from '../../form/hooks.ts'
import { join } from '../../form/path.ts'
import type { Row } from '../../form/store.ts'
import { SortableList } from '../shared/sortable-list.tsx'
import { createRowActions, type RowActions } from './row-actions.ts'
import { RowItem } from './row-item.tsx'
import styles from './rows.module.css'

const NO_ROWS: readonly Row[] = []

/** The entries at a path, and what can be done with them. */
export function useRows(path: string): { readonly rows: readonly Row[]; readonly actions: RowActions } {
  const { store, schema } = useForm()
  const [value] = useValue(path)
  const actions = useMemo(() => createRowActions(store, schema, path), [store, schema, path])
  return { rows: Array.isArray(value) ? value : NO_ROWS, actions }
}

interface RowListProps {
  readonly path: string
  readonly rows: readonly Row[]
  readonly actions: RowActions
  readonly isReadOnly: boolean
  /** Whether entries name their component. */
  readonly isZone: boolean
}

export function RowList({ path, rows, actions, isReadOnly, isZone }: RowListProps) {
  if (rows.length === 0) return null
  return (
    <SortableList items={rows} keyOf={({ key }) => key} onReorder={actions.reorder} className={styles.list}>
      {rows.map((row) => (
        <RowItem
          key={row.key}
          path={join(path, row.key)}
          row={row}
          actions={actions}
          isReadOnly={isReadOnly}
          isZone={isZone}
        />
      ))}
    </SortableList>
  )
}
