/** The search of a screen, reported when typing pauses. `/` moves the focus to it, and Escape clears it. */
import { ActionIcon, TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

const DELAY_MS = 250

interface SearchInputProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly label: string
  readonly placeholder: string
  readonly clearLabel: string
  readonly className: string | undefined
}

export function SearchInput(props: SearchInputProps) {
  const { value, onChange, label, placeholder, clearLabel, className } = props
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const report = useDebouncedCallback(onChange, DELAY_MS)
  useEffect(() => setText(value), [value])
  useHotkeys([['/', () => input.current?.focus()]])
  const change = (next: string) => {
    setText(next)
    report(next.trim())
  }
  return (
    <TextInput
      ref={input}
      {...(className !== undefined && { className })}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && text !== '' && change('')}
      placeholder={placeholder}
      aria-label={label}
      leftSection={<IconSearch size={16} stroke={1.5} />}
      rightSection={
        text !== '' && (
          <ActionIcon onClick={() => change('')} aria-label={clearLabel}>
            <IconX size={14} stroke={1.5} />
          </ActionIcon>
        )
      }
    />
  )
}
