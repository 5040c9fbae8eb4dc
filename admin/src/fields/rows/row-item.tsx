/** One entry: a line that says what is inside, and its fields while it is open. */
import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronRight,
  IconClipboard,
  IconCopy,
  IconDots,
  IconTrash,
} from '@tabler/icons-react'
import { memo, useRef, useState } from 'react'
import { useForm, useHasErrorBelow, useIsRowOpen } from '../../form/hooks.ts'
import type { Row } from '../../form/store.ts'
import { texts } from '../../texts.ts'
import { SortableItem } from '../shared/sortable-list.tsx'
import { copyEntry } from './clipboard.ts'
import { EntryFields } from './entry-fields.tsx'
import type { RowActions } from './row-actions.ts'
import styles from './rows.module.css'
import { useRowSummary } from './use-row-summary.ts'

const ICON = { size: 15, stroke: 1.5 }

interface RowItemProps {
  readonly path: string
  readonly row: Row
  readonly actions: RowActions
  readonly isReadOnly: boolean
  readonly isZone: boolean
}

export const RowItem = memo(function RowItem({ path, row, actions, isReadOnly, isZone }: RowItemProps) {
  const { openRows } = useForm()
  const isOpen = useIsRowOpen(path)
  const hasError = useHasErrorBelow(path)
  return (
    <SortableItem id={row.key} isDisabled={isReadOnly} className={styles.row}>
      {(handle) => (
        <>
          <div className={styles.line} data-error={hasError}>
            {handle}
            <button
              type="button"
              className={styles.toggle}
              aria-expanded={isOpen}
              onClick={() => openRows.toggle(path)}
            >
              <IconChevronRight {...ICON} className={styles.chevron} aria-hidden />
              <RowLabel path={path} component={row.component} isZone={isZone} />
            </button>
            {!isReadOnly && <RowMenu row={row} actions={actions} />}
          </div>
          {isOpen && (
            <div className={styles.fields}>
              <EntryFields path={path} component={row.component} isReadOnly={isReadOnly} />
            </div>
          )}
        </>
      )}
    </SortableItem>
  )
})

function RowLabel({
  path,
  component,
  isZone,
}: {
  readonly path: string
  readonly component: string
  readonly isZone: boolean
}) {
  const { schema } = useForm()
  const summary = useRowSummary(path, component)
  const name = schema.components.get(component)?.displayName ?? component
  return (
    <>
      {(isZone || summary === '') && <span className={styles.component}>{name}</span>}
      <span className={styles.summary} dir="auto">
        {summary}
      </span>
    </>
  )
}

type RowMenuProps = Pick<RowItemProps, 'row' | 'actions'>

/** A document can have hundreds of entries, so the items of a menu are rendered only once it is opened. */
function RowMenu(props: RowMenuProps) {
  const [wasOpened, setWasOpened] = useState(false)
  if (wasOpened) return <OpenedRowMenu {...props} />
  return (
    <ActionIcon
      size="sm"
      aria-label={texts.edit.more}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setWasOpened(true)}
    >
      <IconDots {...ICON} />
    </ActionIcon>
  )
}

function OpenedRowMenu({ row, actions }: RowMenuProps) {
  const { openRows } = useForm()
  const target = useRef<HTMLButtonElement>(null)
  return (
    // The button that had the focus before is no longer there.
    <Menu position="bottom-end" defaultOpened returnFocus={false} onClose={() => target.current?.focus()}>
      <Menu.Target>
        <ActionIcon ref={target} size="sm" aria-label={texts.edit.more}>
          <IconDots {...ICON} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconArrowUp {...ICON} />} onClick={() => actions.move(row, -1)}>
          {texts.fields.moveUp}
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowDown {...ICON} />} onClick={() => actions.move(row, 1)}>
          {texts.fields.moveDown}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy {...ICON} />} onClick={() => openRows.open(actions.duplicate(row))}>
          {texts.fields.duplicate}
        </Menu.Item>
        <Menu.Item leftSection={<IconClipboard {...ICON} />} onClick={() => copyEntry(actions.copy(row))}>
          {texts.fields.copy}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          c="var(--danger)"
          leftSection={<IconTrash {...ICON} />}
          onClick={() => actions.remove(row)}
        >
          {texts.fields.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
