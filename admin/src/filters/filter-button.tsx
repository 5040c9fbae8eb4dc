/** A button that opens the builder of a filter. */
import { Button, Popover } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import type { ContentTypeView } from '../api/types.ts'
import { completeFilter, type FilterGroup } from './filter.ts'
import { FilterBuilder } from './filter-builder.tsx'

interface FilterButtonProps {
  readonly type: ContentTypeView
  readonly label: string
  readonly initial: FilterGroup
  /** Called with the conditions that are complete; undefined if there are none. */
  readonly onApply: (filter: FilterGroup | undefined) => void
}

export function FilterButton({ type, label, initial, onApply }: FilterButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconFilter size={16} stroke={1.5} />}
          onClick={() => setIsOpen((open) => !open)}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={16}>
        <FilterBuilder
          type={type}
          initial={initial}
          onApply={(filter) => {
            onApply(completeFilter(filter))
            setIsOpen(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
