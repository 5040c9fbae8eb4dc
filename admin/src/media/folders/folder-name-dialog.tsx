/** Asks for the name of a folder. What was typed is kept when the server refuses it. */
import { Button, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { messageOf } from '../../api/request.ts'
import { mediaTexts } from '../../texts/media.ts'
import { texts } from '../../texts.ts'
import styles from '../media.module.css'

interface FolderNameDialogProps {
  readonly title: string
  readonly action: string
  readonly isOpen: boolean
  readonly initial: string
  readonly onClose: () => void
  /** Throws what the server refuses. */
  readonly onSubmit: (name: string) => Promise<void>
}

export function FolderNameDialog(props: FolderNameDialogProps) {
  const { title, action, isOpen, initial, onClose, onSubmit } = props
  const [name, setName] = useState(initial)
  const [error, setError] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  useEffect(() => {
    if (!isOpen) return
    setName(initial)
    setError(null)
  }, [isOpen, initial])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setIsPending(true)
    try {
      await onSubmit(name.trim())
      onClose()
    } catch (failure) {
      setError(messageOf(failure))
    }
    setIsPending(false)
  }
  const isValid = name.trim() !== '' && !name.includes('/')
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': texts.close }}>
      <form onSubmit={(event) => void submit(event)}>
        <TextInput
          label={mediaTexts.folderName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={error}
          maxLength={100}
          data-autofocus
        />
        <div className={styles.dialogActions}>
          <Button variant="default" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="submit" loading={isPending} disabled={!isValid}>
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
