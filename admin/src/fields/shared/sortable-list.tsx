/** A list whose items can be reordered, by pointer and by keyboard. Of a long one, those in sight may be rendered alone. */
import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { ActionIcon } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { texts } from '../../texts.ts'

interface SortableListProps<Item> {
  /** All of them, including those that are not rendered. */
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly onReorder: (items: readonly Item[]) => void
  readonly className?: string | undefined
  /** In pixels, of a list whose items have places. */
  readonly height?: number | undefined
  readonly children: ReactNode
}

export function SortableList<Item>({
  items,
  keyOf,
  onReorder,
  className,
  height,
  children,
}: SortableListProps<Item>) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const keys = items.map(keyOf)
  const move = ({ active, over }: DragEndEvent) => {
    const [from, to] = [keys.indexOf(String(active.id)), keys.indexOf(String(over?.id ?? ''))]
    if (from >= 0 && to >= 0 && from !== to) onReorder(arrayMove([...items], from, to))
  }
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={move}>
      <SortableContext items={keys} strategy={verticalListSortingStrategy}>
        <ol className={className} style={{ height }}>
          {children}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

/** Where an item of a list is that does not render all of them. */
export interface ItemPlace {
  readonly index: number
  readonly count: number
  /** In pixels, from the start of the list. */
  readonly top: number
}

interface SortableItemProps {
  readonly id: string
  readonly isDisabled: boolean
  readonly className?: string | undefined
  readonly place?: ItemPlace | undefined
  /** Receives the handle that the item is dragged by; null when it cannot be. */
  readonly children: (handle: ReactNode) => ReactNode
}

export function SortableItem({ id, isDisabled, className, place, children }: SortableItemProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({
      id,
      disabled: isDisabled,
    })
  const style: CSSProperties = {
    ...(transform && { transform: `translate3d(0, ${transform.y}px, 0)` }),
    transition,
    ...(isDragging && { position: 'relative', zIndex: 5, opacity: 0.85 }),
    ...(place && { position: 'absolute', top: place.top, right: 0, left: 0 }),
  }
  const handle = isDisabled ? null : (
    <ActionIcon
      ref={setActivatorNodeRef}
      size="sm"
      {...attributes}
      {...listeners}
      aria-label={texts.fields.drag}
      style={{ cursor: 'grab', touchAction: 'none' }}
    >
      <IconGripVertical size={15} stroke={1.5} />
    </ActionIcon>
  )
  return (
    <li
      ref={setNodeRef}
      style={style}
      className={className}
      {...(place && { 'aria-posinset': place.index + 1, 'aria-setsize': place.count })}
    >
      {children(handle)}
    </li>
  )
}
