/** Creates a release, or gives one another name. */
import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { createRelease, RELEASES_KEY, type Release, renameRelease } from '../api/content/releases.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { releaseTexts } from '../texts/releases.ts'

interface ReleaseNameDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Null to create one. */
  readonly release: Pick<Release, 'id' | 'name'> | null
  readonly onSaved?: (id: number) => void
}

export function ReleaseNameDialog({ isOpen, onClose, release, onSaved }: ReleaseNameDialogProps) {
  const queryClient = useQueryClient()
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={release ? releaseTexts.rename : releaseTexts.create}
      submit={release ? releaseTexts.save : releaseTexts.create}
      size="sm"
      onSubmit={async (field) => {
        const name = field('name')
        const { data } = release ? await renameRelease(release.id, name) : await createRelease(name)
        await queryClient.invalidateQueries({ queryKey: RELEASES_KEY })
        onSaved?.(data.id)
      }}
    >
      <TextInput
        name="name"
        label={releaseTexts.name}
        defaultValue={release?.name ?? ''}
        required
        withAsterisk={false}
        maxLength={255}
        data-autofocus
      />
    </FormDialog>
  )
}
