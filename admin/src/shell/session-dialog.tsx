/** Signing in again over whatever the person was doing, when the session has ended. */
import { Modal } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { onSessionEnded } from '../api/request.ts'
import { texts } from '../texts.ts'
import { SignInForm } from './accounts/sign-in-form.tsx'

export function SessionDialog({ username }: { readonly username: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const waiting = useRef<(() => void)[]>([])
  useEffect(() => {
    // Every request that failed waits for the same dialog.
    onSessionEnded(
      () =>
        new Promise((resolve) => {
          waiting.current.push(resolve)
          setIsOpen(true)
        }),
    )
    return () => onSessionEnded(null)
  }, [])
  const proceed = () => {
    setIsOpen(false)
    for (const resolve of waiting.current.splice(0)) resolve()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={texts.account.signInAgain}
      size="sm"
      zIndex={400}
    >
      <p>{texts.account.sessionEnded}</p>
      <SignInForm username={username} onSignedIn={proceed} />
    </Modal>
  )
}
