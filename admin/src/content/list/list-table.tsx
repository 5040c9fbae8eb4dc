/** The rows of a list. Only the visible ones are in the page, and more are loaded before the end is reached. */
// biome-ignore-all lint/a11y/useSemanticElements: elements of a table cannot be positioned, so these have roles.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and headers are not widgets; what is inside them can be focused.
import { Checkbox } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, memo, useEffect, useRef } from 'react'
import type { ContentDocument, ContentTypeView } from '../../api/types.ts'
import { texts } from '../../texts.ts'
import { titleOf } from '../title.ts'
import type { Column } from './columns.ts'
import { ListCell } from './list-cell.tsx'
import styles from './list-table.module.css'
import { ResizeHandle, useColumnWidths } from './resize.tsx'

const ROW_HEIGHT = 42
const PHONE_ROW_HEIGHT = 58
/** More rows are loaded when this many are left below the visible ones. */
const LOAD_AHEAD = 20

export interface ListTableProps {
  readonly type: ContentTypeView
  readonly columns: readonly Column[]
  readonly documents: readonly ContentDocument[]
  readonly total: number | undefined
  readonly sort: readonly string[]
  readonly onSort: (sort: readonly string[]) => void
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
  readonly locale: string | undefined
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly onMore: () => void
}

export function ListTable(props: ListTableProps) {
  const { type, columns, documents, total, selected, onSelect, locale, hasMore, isLoadingMore, onMore } =
    props
  const scroller = useRef<HTMLDivElement>(null)
  const isPhone = useMediaQuery('(max-width: 800px)', undefined, { getInitialValueInEffect: false })
  const shown = isPhone ? phoneColumns(columns) : columns
  const widths = useColumnWidths(type.uid)
  const virtualizer = useVirtualizer({
    count: documents.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isPhone ? PHONE_ROW_HEIGHT : ROW_HEIGHT),
    overscan: 12,
  })
  const rows = virtualizer.getVirtualItems()
  const isNearEnd = (rows.at(-1)?.index ?? 0) >= documents.length - LOAD_AHEAD
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoadingMore) onMore()
  }, [isNearEnd, hasMore, isLoadingMore, onMore])

  const select = (documentId: string, isSelected: boolean) =>
    onSelect(
      new Set(isSelected ? [...selected, documentId] : [...selected].filter((each) => each !== documentId)),
    )
  const template = [
    '44px',
    ...shown.map(({ name, width }, index) =>
      index === 0 ? `minmax(${widths.get(name) ?? width}px, 1fr)` : `${widths.get(name) ?? width}px`,
    ),
  ].join(' ')
  const style: CSSProperties & Record<`--${string}`, string> = {
    '--columns': isPhone ? '44px minmax(0, 1fr) auto' : template,
  }
  return (
    <div ref={scroller} className={styles.scroller} style={style}>
      <div
        role="table"
        aria-label={type.view.label}
        aria-rowcount={total === undefined ? -1 : total + 1}
        className={styles.table}
      >
        <HeaderRow {...props} columns={shown} widths={widths} />
        <div role="rowgroup" className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
          {rows.map(({ index, start, size }) => {
            const document = documents[index]
            return (
              document && (
                <Row
                  key={document.documentId}
                  type={type}
                  document={document}
                  columns={shown}
                  index={index}
                  start={start}
                  size={size}
                  isSelected={selected.has(document.documentId)}
                  onSelect={select}
                  locale={locale}
                />
              )
            )
          })}
        </div>
      </div>
      {isLoadingMore && (
        <p className={styles.more} role="status">
          {texts.list.loadingMore}
        </p>
      )}
    </div>
  )
}

/** The name of the document and one more, which fit on a phone. */
const phoneColumns = (columns: readonly Column[]) => {
  const second =
    columns.find(({ name }) => name === 'status') ?? columns.find(({ name }) => name === 'updatedAt')
  return [columns[0], second].filter((column) => column !== undefined)
}

interface HeaderRowProps extends ListTableProps {
  readonly widths: ReturnType<typeof useColumnWidths>
}

function HeaderRow({ columns, documents, selected, onSelect, sort, onSort, widths }: HeaderRowProps) {
  const isAll = documents.length > 0 && documents.every(({ documentId }) => selected.has(documentId))
  return (
    <div role="row" aria-rowindex={1} className={styles.header}>
      <span role="columnheader" className={styles.check}>
        <Checkbox
          aria-label={texts.list.selectAll}
          checked={isAll}
          indeterminate={!isAll && selected.size > 0}
          onChange={() => onSelect(new Set(isAll ? [] : documents.map(({ documentId }) => documentId)))}
        />
      </span>
      {columns.map((column) => (
        <HeaderCell key={column.name} column={column} sort={sort} onSort={onSort} widths={widths} />
      ))}
    </div>
  )
}

interface HeaderCellProps extends Pick<ListTableProps, 'sort' | 'onSort'> {
  readonly column: Column
  readonly widths: ReturnType<typeof useColumnWidths>
}

function HeaderCell({ column, sort, onSort, widths }: HeaderCellProps) {
  const { name, label, isSortable } = column
  const term = sort.find((each) => each.split(':')[0] === name)
  const isDescending = term?.endsWith(':desc') ?? false
  const next = term && !isDescending ? `${name}:desc` : name
  const Arrow = isDescending ? IconArrowDown : IconArrowUp
  return (
    <span
      role="columnheader"
      className={styles.headerCell}
      {...(isSortable && { 'aria-sort': term ? (isDescending ? 'descending' : 'ascending') : 'none' })}
    >
      {isSortable ? (
        <button
          type="button"
          className={styles.sort}
          title={texts.list.sortBy(label)}
          // With Shift, the column is added to those that the list is sorted by.
          onClick={(event) =>
            onSort(event.shiftKey ? [...sort.filter((each) => each !== term), next] : [next])
          }
        >
          {label}
          {term && <Arrow size={13} stroke={1.75} aria-hidden />}
        </button>
      ) : (
        label
      )}
      <ResizeHandle column={column} widths={widths} />
    </span>
  )
}

interface RowProps {
  readonly type: ContentTypeView
  readonly document: ContentDocument
  readonly columns: readonly Column[]
  readonly index: number
  readonly start: number
  readonly size: number
  readonly isSelected: boolean
  readonly onSelect: (documentId: string, isSelected: boolean) => void
  readonly locale: string | undefined
}

const Row = memo(function Row({
  type,
  document,
  columns,
  index,
  start,
  size,
  isSelected,
  onSelect,
  locale,
}: RowProps) {
  const title = titleOf(type, document)
  const [first, ...rest] = columns
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={styles.row}
      style={{ transform: `translateY(${start}px)`, height: size }}
    >
      <span role="cell" className={styles.check}>
        <Checkbox
          aria-label={texts.list.select(title)}
          checked={isSelected}
          onChange={(event) => onSelect(document.documentId, event.currentTarget.checked)}
        />
      </span>
      <span role="cell" className={styles.cell} dir="auto">
        <Link
          to="/content/$type/$documentId"
          params={{ type: type.path, documentId: document.documentId }}
          search={locale === undefined ? {} : { locale }}
          className={styles.title}
          preload={false}
        >
          {first ? title : document.documentId}
        </Link>
      </span>
      {rest.map((column) => (
        <span key={column.name} role="cell" className={styles.cell} dir="auto">
          <ListCell column={column} document={document} />
        </span>
      ))}
    </div>
  )
})
