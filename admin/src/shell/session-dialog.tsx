/** Signing in again over whatever the person was doing, when the session has ended. */
import { Button, Modal } from '@mantine/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { onSessionEnded } from '../api/request.ts'
import { readPersonId } from '../api/session.ts'
import { onSessionChanged } from '../api/session-channel.ts'
import type { Me } from '../api/types.ts'
import { texts } from '../texts.ts'
import { SignInForm } from './accounts/sign-in-form.tsx'

export function SessionDialog({ user }: { readonly user: Me['user'] }) {
  const [isOpen, setIsOpen] = useState(false)
  /** Whether another user has signed in in another tab. */
  const [isOther, setIsOther] = useState(false)
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
  const proceed = useCallback(() => {
    setIsOpen(false)
    setIsOther(false)
    for (const resolve of waiting.current.splice(0)) resolve()
  }, [])
  useEffect(() => {
    const check = async () => {
      const personId = await readPersonId()
      if (personId === user.id) return proceed()
      setIsOther(personId !== null)
      setIsOpen(true)
    }
    // A tab without a connection notices with its next request.
    return onSessionChanged(() => void check().catch(() => {}))
  }, [user.id, proceed])
  /** What waits was done by this person, and is not done as another one. */
  const continueIfSame = async () => {
    if ((await readPersonId()) === user.id) proceed()
    else window.location.reload()
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
      <p>{isOther ? texts.account.otherPerson(user.username) : texts.account.sessionEnded}</p>
      <SignInForm username={user.username} onSignedIn={() => void continueIfSame()} />
      {isOther && (
        <Button variant="default" fullWidth mt={8} onClick={() => window.location.reload()}>
          {texts.account.continueAsOther}
        </Button>
      )}
    </Modal>
  )
}
