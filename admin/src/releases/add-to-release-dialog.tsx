/** Adds documents to a release that is not published yet, or to a new one. */
import { NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  addEntries,
  createRelease,
  type NewReleaseEntry,
  RELEASES_KEY,
  type ReleaseAction,
  releasesQuery,
} from '../api/content/releases.ts'
import type { ContentTypeView } from '../api/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { releaseTexts } from '../texts/releases.ts'
import { isUnpublished } from './release-state.tsx'
import styles from './releases.module.css'

interface AddToReleaseDialogProps {
  readonly onClose: () => void
  readonly type: ContentTypeView
  readonly documentIds: readonly string[]
  readonly locale: string | undefined
  readonly onAdded?: () => void
}

const NEW = 'new'

export default function AddToReleaseDialog({
  onClose,
  type,
  documentIds,
  locale,
  onAdded,
}: AddToReleaseDialogProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: releases = [] } = useQuery(releasesQuery)
  const open = releases.filter(isUnpublished)
  const [chosen, setChosen] = useState<string | null>(null)
  const [action, setAction] = useState<ReleaseAction>(type.actions.publish ? 'publish' : 'unpublish')
  const release = chosen ?? (open[0] ? String(open[0].id) : NEW)
  const add = async (name: string) => {
    const entries = documentIds.map(
      (documentId): NewReleaseEntry => ({
        ...{ type: type.uid, documentId, action },
        locale: type.localized && locale !== undefined ? locale : null,
      }),
    )
    const { data } =
      release === NEW ? await createRelease(name, entries) : await addEntries(Number(release), entries)
    await queryClient.invalidateQueries({ queryKey: RELEASES_KEY })
    notifications.show({
      message: (
        <>
          {releaseTexts.added(entries.length, data.name)}{' '}
          <button
            type="button"
            className={styles.open}
            onClick={() => void navigate({ to: '/releases/$id', params: { id: String(data.id) } })}
          >
            {releaseTexts.open}
          </button>
        </>
      ),
    })
    onAdded?.()
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={releaseTexts.addTo}
      submit={releaseTexts.addSelected(documentIds.length)}
      size="sm"
      onSubmit={(field) => add(field('name'))}
    >
      <NativeSelect
        label={releaseTexts.release}
        data={[
          ...open.map(({ id, name }) => ({ value: String(id), label: name })),
          { value: NEW, label: releaseTexts.newRelease },
        ]}
        value={release}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      {release === NEW && (
        <TextInput
          name="name"
          label={releaseTexts.newName}
          required
          withAsterisk={false}
          maxLength={255}
          data-autofocus
        />
      )}
      {type.actions.publish && type.actions.unpublish && (
        <div>
          <Text size="sm" fw={550} mb={2} id="release-action">
            {releaseTexts.action}
          </Text>
          <SegmentedControl
            fullWidth
            aria-labelledby="release-action"
            data={[
              { value: 'publish', label: releaseTexts.actions.publish },
              { value: 'unpublish', label: releaseTexts.actions.unpublish },
            ]}
            value={action}
            onChange={(value) => setAction(value === 'unpublish' ? 'unpublish' : 'publish')}
          />
        </div>
      )}
    </FormDialog>
  )
}
