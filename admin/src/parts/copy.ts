/** Copies text to the clipboard, also over plain HTTP, where browsers give scripts no clipboard of their own. */
import { notifications } from '@mantine/notifications'
import { useEffect, useState } from 'react'
import { texts } from '../texts.ts'

/** Returns whether the text was copied, and says so if it was not. */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = (await copyWithClipboard(text)) || copyWithCommand(text)
  if (!isCopied) notifications.show({ color: 'red', message: texts.copyFailed(text), autoClose: false })
  return isCopied
}

/** How long a button says that its text was copied. */
const SHOWN_MS = 2_000

/** For a button that says for a moment that its text was copied. */
export function useCopy() {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return { copied, copy: (text: string) => void copyText(text).then(setCopied) }
}

async function copyWithClipboard(text: string): Promise<boolean> {
  // Without HTTPS there is none, whatever its type says.
  if (!('clipboard' in navigator)) return false
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Answers the event of the copy command with the text, so that nothing has to be selected or focused. */
function copyWithCommand(text: string): boolean {
  let isAnswered = false
  const answer = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopPropagation()
    isAnswered = true
  }
  document.addEventListener('copy', answer, true)
  const isDone = document.execCommand('copy')
  document.removeEventListener('copy', answer, true)
  return isDone && isAnswered
}
