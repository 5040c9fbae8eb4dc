/** The search for files. `/` moves the focus to it. */
import { ActionIcon, TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { texts } from '../texts.ts'
import styles from './media.module.css'

const SEARCH_DELAY_MS = 250

interface FileSearchProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

export function FileSearch({ value, onChange }: FileSearchProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const report = useDebouncedCallback(onChange, SEARCH_DELAY_MS)
  useEffect(() => setText(value), [value])
  useHotkeys([['/', () => input.current?.focus()]])
  const change = (next: string) => {
    setText(next)
    report(next.trim())
  }
  return (
    <TextInput
      ref={input}
      className={styles.search}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && text !== '' && change('')}
      placeholder={texts.media.searchPlaceholder}
      aria-label={texts.media.search}
      leftSection={<IconSearch size={16} stroke={1.5} />}
      rightSection={
        text !== '' && (
          <ActionIcon onClick={() => change('')} aria-label={texts.media.clearSearch}>
            <IconX size={14} stroke={1.5} />
          </ActionIcon>
        )
      }
    />
  )
}
