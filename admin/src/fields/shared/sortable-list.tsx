/** A list whose items can be reordered, by pointer and by keyboard. */
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
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly onReorder: (items: readonly Item[]) => void
  readonly className?: string | undefined
  readonly children: ReactNode
}

export function SortableList<Item>({
  items,
  keyOf,
  onReorder,
  className,
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
        <ol className={className}>{children}</ol>
      </SortableContext>
    </DndContext>
  )
}

interface SortableItemProps {
  readonly id: string
  readonly isDisabled: boolean
  readonly className?: string | undefined
  /** Receives the handle that the item is dragged by; null when it cannot be. */
  readonly children: (handle: ReactNode) => ReactNode
}

export function SortableItem({ id, isDisabled, className, children }: SortableItemProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({
      id,
      disabled: isDisabled,
    })
  const style: CSSProperties = {
    ...(transform && { transform: `translate3d(0, ${transform.y}px, 0)` }),
    transition,
    ...(isDragging && { position: 'relative', zIndex: 5, opacity: 0.85 }),
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
    <li ref={setNodeRef} style={style} className={className}>
      {children(handle)}
    </li>
  )
}
