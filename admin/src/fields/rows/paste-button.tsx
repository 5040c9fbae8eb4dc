/** Pastes the entry that was copied last, where its component is allowed. */
import { Button } from '@mantine/core'
import { IconClipboard } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { texts } from '../../texts.ts'
import { copiedEntry } from './clipboard.ts'
import type { RowActions } from './row-actions.ts'

interface PasteButtonProps {
  readonly components: readonly string[]
  readonly actions: RowActions
}

export function PasteButton({ components, actions }: PasteButtonProps) {
  const [copied, setCopied] = useState(() => copiedEntry(components))
  useEffect(() => {
    const refresh = () => setCopied(copiedEntry(components))
    window.addEventListener('focus', refresh)
    window.addEventListener('click', refresh)
    return () => {
      window.removeEventListener('focus', refresh)
      window.removeEventListener('click', refresh)
    }
  }, [components])
  if (!copied) return null
  return (
    <Button
      size="xs"
      variant="subtle"
      color="gray"
      leftSection={<IconClipboard size={14} stroke={1.5} />}
      onClick={() => actions.paste(copied)}
    >
      {texts.fields.paste}
    </Button>
  )
}
