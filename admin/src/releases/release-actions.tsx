/** What can be done with a release as a whole. */
import { ActionIcon, Button, Menu, Modal, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  cancelRelease,
  deleteRelease,
  type OpenedReleaseResponse,
  publishRelease,
  RELEASES_KEY,
  revertRelease,
  scheduleRelease,
} from '../api/content/releases.ts'
import { formatInstant } from '../content/dates.ts'
import { instantOf, localTimeOf } from '../content/schedule/local-time.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { releaseTexts } from '../texts/releases.ts'
import { texts } from '../texts.ts'
import { ReleaseNameDialog } from './release-name-dialog.tsx'
import { isUnpublished } from './release-state.tsx'
import styles from './releases.module.css'

interface ReleaseActionsProps {
  readonly response: OpenedReleaseResponse
  readonly onChange: (response: OpenedReleaseResponse) => void
}

type Dialog = 'publish' | 'schedule' | 'cancel' | 'revert' | 'rename' | 'delete'

export function ReleaseActions({ response, onChange }: ReleaseActionsProps) {
  const { data: release, meta } = response
  const [dialog, setDialog] = useState<Dialog | null>(null)
  if (!meta.mayChange) return null
  const canPublish = isUnpublished(release) && release.entryCount > 0
  return (
    <>
      {canPublish && (
        <>
          <Button variant="default" onClick={() => setDialog('schedule')}>
            {release.state === 'scheduled' ? releaseTexts.reschedule : releaseTexts.schedule}
          </Button>
          <Button disabled={!release.valid} onClick={() => setDialog('publish')}>
            {releaseTexts.publish}
          </Button>
        </>
      )}
      {release.state === 'published' && (
        <Button variant="default" onClick={() => setDialog('revert')}>
          {releaseTexts.revert}
        </Button>
      )}
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon size="lg" aria-label={releaseTexts.more}>
            <IconDots size={18} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isUnpublished(release) && (
            <Menu.Item onClick={() => setDialog('rename')}>{releaseTexts.rename}</Menu.Item>
          )}
          {release.state === 'scheduled' && (
            <Menu.Item onClick={() => setDialog('cancel')}>{releaseTexts.cancel}</Menu.Item>
          )}
          <Menu.Item c="var(--danger)" onClick={() => setDialog('delete')}>
            {releaseTexts.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialogs response={response} onChange={onChange} dialog={dialog} onClose={() => setDialog(null)} />
    </>
  )
}

interface DialogsProps extends ReleaseActionsProps {
  readonly dialog: Dialog | null
  readonly onClose: () => void
}

function Dialogs({ response: { data: release }, onChange, dialog, onClose }: DialogsProps) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [notRestored, setNotRestored] = useState<readonly string[]>([])
  const { id, name } = release
  const change = async (work: Promise<OpenedReleaseResponse>, message: string) => {
    const changed = await work
    onChange(changed)
    notifications.show({ message })
    // Lists show the status of the documents.
    void queryClient.invalidateQueries({ queryKey: ['list'] })
    return changed
  }
  return (
    <>
      <ConfirmDialog
        isOpen={dialog === 'publish'}
        onClose={onClose}
        title={releaseTexts.publishTitle(release.entryCount)}
        confirm={releaseTexts.publish}
        onConfirm={() => change(publishRelease(id), releaseTexts.published)}
      >
        <p>{releaseTexts.publishText}</p>
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={dialog === 'cancel'}
        onClose={onClose}
        title={releaseTexts.cancel}
        confirm={releaseTexts.cancel}
        onConfirm={() => change(cancelRelease(id), releaseTexts.cancelled)}
      >
        <p>{release.publishAt !== null && texts.schedule.publishes(formatInstant(release.publishAt))}</p>
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={dialog === 'revert'}
        onClose={onClose}
        title={releaseTexts.revertTitle(name)}
        confirm={releaseTexts.revert}
        onConfirm={async () => {
          const { meta } = await change(revertRelease(id), releaseTexts.reverted)
          setNotRestored((meta.notRestored ?? []).map(({ message }) => message))
        }}
      >
        <p>{releaseTexts.revertText}</p>
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={dialog === 'delete'}
        onClose={onClose}
        title={releaseTexts.deleteTitle(name)}
        confirm={releaseTexts.delete}
        isDangerous
        onConfirm={async () => {
          await deleteRelease(id)
          notifications.show({ message: releaseTexts.deleted })
          await navigate({ to: '/releases' })
          await queryClient.invalidateQueries({ queryKey: RELEASES_KEY })
        }}
      >
        <p>{releaseTexts.deleteText}</p>
      </ConfirmDialog>
      <FormDialog
        isOpen={dialog === 'schedule'}
        onClose={onClose}
        title={releaseTexts.scheduleTitle}
        submit={releaseTexts.schedule}
        size="sm"
        onSubmit={async (field) => {
          const publishAt = instantOf(field('publishAt')) ?? ''
          await change(scheduleRelease(id, publishAt), releaseTexts.scheduled(formatInstant(publishAt)))
        }}
      >
        <p className={styles.text}>{releaseTexts.scheduleText}</p>
        <TextInput
          type="datetime-local"
          name="publishAt"
          label={releaseTexts.publishAt}
          defaultValue={localTimeOf(release.publishAt)}
          required
          withAsterisk={false}
          data-autofocus
        />
      </FormDialog>
      <ReleaseNameDialog isOpen={dialog === 'rename'} onClose={onClose} release={release} />
      <Modal
        opened={notRestored.length > 0}
        onClose={() => setNotRestored([])}
        title={releaseTexts.notRestored}
        closeButtonProps={{ 'aria-label': texts.close }}
      >
        <ul className={styles.problems}>
          {notRestored.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      </Modal>
    </>
  )
}
