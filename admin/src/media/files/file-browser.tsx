/** Files as a grid or a list. Only the visible rows are in the page, and more are loaded before the end is reached. */
import { Checkbox } from '@mantine/core'
import { useElementSize, useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import type { MediaFile } from '../../api/types.ts'
import { timeAgo } from '../../content/dates.ts'
import { mediaTexts } from '../../texts/media.ts'
import styles from '../media.module.css'
import { describeFile, FileThumbnail, formatSize, kindOf } from './file-thumbnail.tsx'
import { extendTo, movedIndex, NOTHING, type Selection, selectAll, toggle } from './selection.ts'

interface FileBrowserProps {
  readonly files: readonly MediaFile[]
  readonly view: 'grid' | 'list'
  /** Whether files of several folders are shown. */
  readonly showsFolder: boolean
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
  readonly onOpen: (file: MediaFile) => void
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly onMore: () => void
  /** Scrolls with the files. */
  readonly above: ReactNode
  readonly below: ReactNode
}

const TILE_WIDTH = 172
const TILE_HEIGHT = 196
const GAP = 12
const ROW_HEIGHT = 56
/** More are loaded when this many rows are left below the visible ones. */
const LOAD_AHEAD = 6

export function FileBrowser(props: FileBrowserProps) {
  const { files, view, selection, onSelect, onOpen, hasMore, isLoadingMore, onMore } = props
  const scroller = useRef<HTMLDivElement>(null)
  const { ref: measured, width } = useElementSize<HTMLUListElement>()
  const isPhone = useMediaQuery('(max-width: 800px)', undefined, { getInitialValueInEffect: false })
  const columns = view === 'list' ? 1 : Math.max(2, Math.floor((width + GAP) / (TILE_WIDTH + GAP)))
  const list = useRef<HTMLUListElement | null>(null)
  const virtualizer = useVirtualizer({
    count: Math.ceil(files.length / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => (view === 'list' ? ROW_HEIGHT : TILE_HEIGHT + GAP),
    overscan: 4,
    scrollMargin: list.current?.offsetTop ?? 0,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of the other view have another height.
  useEffect(() => virtualizer.measure(), [view, columns])
  const rows = virtualizer.getVirtualItems()
  const isNearEnd = (rows.at(-1)?.index ?? 0) >= Math.ceil(files.length / columns) - LOAD_AHEAD
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoadingMore) onMore()
  }, [isNearEnd, hasMore, isLoadingMore, onMore])

  const shown = files.map(({ documentId }) => documentId)
  const focusAt = (index: number) => {
    virtualizer.scrollToIndex(Math.floor(index / columns))
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus())
  }
  const press = (event: MouseEvent, file: MediaFile) => {
    if (event.shiftKey) onSelect(extendTo(selection, file.documentId, shown))
    else if (event.ctrlKey || event.metaKey) onSelect(toggle(selection, file.documentId))
    else onOpen(file)
  }
  const type = (event: KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : null
    const index = Number(target?.dataset.index)
    const file = files[index]
    if (!file) return
    const moved = movedIndex(event.key, index, columns, files.length)
    const next = moved === null ? undefined : files[moved]
    if (moved !== null && next) {
      const from = selection.anchor === null ? { ...selection, anchor: file.documentId } : selection
      if (event.shiftKey) onSelect(extendTo(from, next.documentId, shown))
      focusAt(moved)
    } else if (event.key === ' ') onSelect(toggle(selection, file.documentId))
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) onSelect(selectAll(shown))
    else if (event.key === 'Escape' && selection.ids.size > 0) onSelect(NOTHING)
    else return
    event.preventDefault()
  }
  const offset = virtualizer.options.scrollMargin
  return (
    <div className={styles.scroller} ref={scroller}>
      {props.above}
      <ul
        ref={(element) => {
          list.current = element
          measured(element)
        }}
        className={styles.files}
        data-view={view}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={type}
        aria-label={mediaTexts.title}
      >
        {rows.flatMap((row) =>
          files.slice(row.index * columns, (row.index + 1) * columns).map((file, column) => {
            const isSelected = selection.ids.has(file.documentId)
            return (
              <li
                key={file.documentId}
                className={styles.item}
                data-selected={isSelected}
                style={{
                  top: row.start - offset,
                  left: `calc(${column} * (100% + ${GAP}px) / ${columns})`,
                  width: `calc((100% - ${(columns - 1) * GAP}px) / ${columns})`,
                  height: view === 'list' ? ROW_HEIGHT : TILE_HEIGHT,
                }}
              >
                <Checkbox
                  className={styles.check}
                  size="xs"
                  checked={isSelected}
                  onChange={(event) =>
                    onSelect(
                      'shiftKey' in event.nativeEvent && event.nativeEvent.shiftKey === true
                        ? extendTo(selection, file.documentId, shown)
                        : toggle(selection, file.documentId),
                    )
                  }
                  aria-label={mediaTexts.select(file.name)}
                />
                <button
                  type="button"
                  className={styles.open}
                  data-index={row.index * columns + column}
                  onClick={(event) => press(event, file)}
                >
                  <FileThumbnail file={file} />
                  <span className={styles.name} dir="auto">
                    {file.name}
                  </span>
                  {view === 'grid' ? (
                    <span className={styles.note}>
                      {props.showsFolder ? file.__meta?.folder : describeFile(file)}
                    </span>
                  ) : (
                    !isPhone && (
                      <>
                        <span className={styles.note}>
                          {props.showsFolder ? file.__meta?.folder : kindOf(file)}
                        </span>
                        <span className={styles.note}>
                          {file.width !== null && file.height !== null && `${file.width} × ${file.height}`}
                        </span>
                        <span className={styles.note}>{formatSize(file.size)}</span>
                        <span className={styles.note}>{file.createdAt && timeAgo(file.createdAt)}</span>
                      </>
                    )
                  )}
                </button>
              </li>
            )
          }),
        )}
      </ul>
      {props.below}
    </div>
  )
}
