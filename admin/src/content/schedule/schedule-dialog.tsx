/** Publishes or unpublishes a document at a time. */
import { Button, Group, Modal, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DocumentAddress } from '../../api/content/content.ts'
import { changeSchedule, type Schedule, scheduleKey, scheduleQuery } from '../../api/content/schedule.ts'
import { messageOf } from '../../api/request.ts'
import { texts } from '../../texts.ts'
import { instantOf, localTimeOf } from './local-time.ts'

interface ScheduleDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly address: DocumentAddress
}

export function ScheduleDialog({ isOpen, onClose, address }: ScheduleDialogProps) {
  const { data, error } = useQuery({ ...scheduleQuery(address), enabled: isOpen })
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={texts.schedule.title}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {error && <p>{messageOf(error)}</p>}
      {isOpen && data && <Times address={address} schedule={data} onClose={onClose} />}
    </Modal>
  )
}

interface TimesProps {
  readonly address: DocumentAddress
  readonly schedule: Schedule
  readonly onClose: () => void
}

function Times({ address, schedule, onClose }: TimesProps) {
  const queryClient = useQueryClient()
  const { publish, unpublish } = address.type.actions
  const [publishAt, setPublishAt] = useState(localTimeOf(schedule.publishAt))
  const [unpublishAt, setUnpublishAt] = useState(localTimeOf(schedule.unpublishAt))
  const [error, setError] = useState<string | null>(null)
  const [isSaving, setIsSaving] = useState(false)

  const save = async (times: Schedule) => {
    setIsSaving(true)
    setError(null)
    try {
      queryClient.setQueryData(scheduleKey(address), await changeSchedule(address, times))
      notifications.show({ message: texts.schedule.saved, autoClose: 2_500 })
      onClose()
    } catch (failure) {
      setError(messageOf(failure))
    } finally {
      setIsSaving(false)
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save({ publishAt: instantOf(publishAt), unpublishAt: instantOf(unpublishAt) })
      }}
    >
      <p>{texts.schedule.text}</p>
      {publish && (
        <TextInput
          type="datetime-local"
          label={texts.schedule.publishAt}
          value={publishAt}
          onChange={({ currentTarget }) => setPublishAt(currentTarget.value)}
        />
      )}
      {unpublish && (
        <TextInput
          mt={12}
          type="datetime-local"
          label={texts.schedule.unpublishAt}
          value={unpublishAt}
          onChange={({ currentTarget }) => setUnpublishAt(currentTarget.value)}
        />
      )}
      {error !== null && (
        <p role="alert" style={{ color: 'var(--danger)' }}>
          {error}
        </p>
      )}
      <Group justify="flex-end" gap={8} mt={20}>
        {(schedule.publishAt ?? schedule.unpublishAt) !== null && (
          <Button
            variant="subtle"
            color="gray"
            mr="auto"
            onClick={() => void save({ publishAt: null, unpublishAt: null })}
          >
            {texts.schedule.cancel}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button type="submit" loading={isSaving}>
          {texts.schedule.save}
        </Button>
      </Group>
    </form>
  )
}
