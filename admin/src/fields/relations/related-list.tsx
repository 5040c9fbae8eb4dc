/** The list of related documents. Of a long one, only those in sight are rendered. */
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import type { ContentDocument } from '../../api/types.ts'
import { type ItemPlace, SortableItem, SortableList } from '../shared/sortable-list.tsx'
import styles from './relations.module.css'

/** Longer lists scroll by themselves. */
const LONG = 50

const CARD_HEIGHT = 37

interface RelatedListProps {
  readonly related: readonly ContentDocument[]
  readonly keyOf: (document: ContentDocument) => string
  readonly isSortable: boolean
  readonly onReorder: (related: readonly ContentDocument[]) => void
  /** Receives the document and the handle that it is dragged by. */
  readonly children: (document: ContentDocument, handle: ReactNode) => ReactNode
}

export function RelatedList(props: RelatedListProps) {
  const { related, keyOf, onReorder } = props
  if (related.length > LONG) return <LongList {...props} />
  return (
    <SortableList items={related} keyOf={keyOf} onReorder={onReorder} className={styles.list}>
      {related.map((document) => (
        <Card key={keyOf(document)} {...props} document={document} />
      ))}
    </SortableList>
  )
}

function LongList(props: RelatedListProps) {
  const { related, keyOf, onReorder } = props
  const scroller = useRef<HTMLDivElement>(null)
  const focused = useRef<number | null>(null)
  const virtualizer = useVirtualizer({
    count: related.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT,
    overscan: 10,
    getItemKey: (index) => {
      const document = related[index]
      return document ? keyOf(document) : index
    },
    // What has the focus, and what is dragged, stays while the list scrolls.
    rangeExtractor: (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      const kept = focused.current
      const isOutside = kept !== null && kept < related.length && !indexes.includes(kept)
      return isOutside ? [...indexes, kept].sort((a, b) => a - b) : indexes
    },
  })
  const count = useRef(related.length)
  useEffect(() => {
    // Whoever adds a document sees it.
    if (related.length > count.current) virtualizer.scrollToIndex(related.length - 1)
    count.current = related.length
  }, [related.length, virtualizer])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices which item has the focus.
    <div
      ref={scroller}
      className={styles.scroller}
      onFocus={(event) => {
        const place = event.target.closest('li')?.ariaPosInSet
        focused.current = place ? Number(place) - 1 : null
      }}
      onBlur={() => {
        focused.current = null
      }}
    >
      <SortableList
        items={related}
        keyOf={keyOf}
        onReorder={onReorder}
        className={styles.long}
        height={virtualizer.getTotalSize()}
      >
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const document = related[index]
          const place = { index, count: related.length, top: start }
          return document && <Card key={key} {...props} document={document} place={place} />
        })}
      </SortableList>
    </div>
  )
}

interface CardProps extends RelatedListProps {
  readonly document: ContentDocument
  readonly place?: ItemPlace
}

function Card({ related, keyOf, isSortable, document, place, children }: CardProps) {
  return (
    <SortableItem
      id={keyOf(document)}
      isDisabled={!isSortable || related.length < 2}
      className={styles.card}
      place={place}
    >
      {(handle) => children(document, handle)}
    </SortableItem>
  )
}
