/** Chooses the columns of a list and their order. */
import { ActionIcon, Button, Checkbox, Popover } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { ContentTypeView } from '../../api/types.ts'
import { texts } from '../../texts.ts'
import { availableColumns, type Column } from './columns.ts'
import styles from './columns-menu.module.css'

interface ColumnsMenuProps {
  readonly type: ContentTypeView
  readonly columns: readonly Column[]
  readonly onChange: (names: readonly string[]) => void
}

export function ColumnsMenu({ type, columns, onChange }: ColumnsMenuProps) {
  const shown = columns.map(({ name }) => name)
  const hidden = availableColumns(type).filter(({ name }) => !shown.includes(name))
  const dropdown = useRef<HTMLDivElement>(null)
  const changed = useRef<string | null>(null)
  // A column that is chosen goes to another place in the list; the keyboard stays on it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns have changed.
  useEffect(() => {
    if (changed.current === null) return
    dropdown.current?.querySelector<HTMLElement>(`[data-column="${CSS.escape(changed.current)}"]`)?.focus()
    changed.current = null
  }, [columns])
  const choose = (name: string, names: readonly string[]) => {
    changed.current = name
    onChange(names)
  }
  const swap = (index: number, other: number) =>
    onChange(
      shown.map((name, at) =>
        at === index ? (shown[other] ?? name) : at === other ? (shown[index] ?? name) : name,
      ),
    )
  return (
    <Popover position="bottom-end" width={280} trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} stroke={1.5} />}>
          {texts.list.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown ref={dropdown} className={styles.dropdown}>
        {columns.map(({ name, label }, index) => (
          <div key={name} className={styles.item}>
            <Checkbox
              label={label}
              checked
              disabled={index === 0}
              data-column={name}
              onChange={() =>
                choose(
                  name,
                  shown.filter((each) => each !== name),
                )
              }
            />
            {index > 0 && (
              <span className={styles.move}>
                <ActionIcon
                  size="sm"
                  disabled={index === 1}
                  onClick={() => swap(index, index - 1)}
                  aria-label={`${label}: ${texts.list.moveLeft}`}
                >
                  <IconArrowUp size={14} stroke={1.5} />
                </ActionIcon>
                <ActionIcon
                  size="sm"
                  disabled={index === columns.length - 1}
                  onClick={() => swap(index, index + 1)}
                  aria-label={`${label}: ${texts.list.moveRight}`}
                >
                  <IconArrowDown size={14} stroke={1.5} />
                </ActionIcon>
              </span>
            )}
          </div>
        ))}
        {hidden.length > 0 && <hr className={styles.line} />}
        {hidden.map(({ name, label }) => (
          <div key={name} className={styles.item}>
            <Checkbox
              label={label}
              checked={false}
              data-column={name}
              onChange={() => choose(name, [...shown, name])}
            />
          </div>
        ))}
      </Popover.Dropdown>
    </Popover>
  )
}
