/** Invites someone by e-mail address. Shows the link when the server cannot mail it. */
import { Button, Group, Modal, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { invite, type SentInvitation, teamKey } from '../../api/settings/team.ts'
import { formatInstant } from '../../content/dates.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { texts } from '../../texts.ts'
import { CopyText } from '../parts/copy-text.tsx'
import { isTeamRole, RoleSelect } from '../parts/role-select.tsx'
import { useChange } from '../parts/use-change.ts'

const { team: words } = settingsTexts

interface InviteDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function InviteDialog({ isOpen, onClose }: InviteDialogProps) {
  const change = useChange(teamKey)
  const [sent, setSent] = useState<SentInvitation | null>(null)
  return (
    <>
      <FormDialog
        isOpen={isOpen}
        onClose={onClose}
        title={words.inviteTitle}
        submit={words.invite}
        onSubmit={async (field) => {
          const invitation = await change(() => invite({ email: field('email'), role: field('role') }))
          if (invitation.link === null) notifications.show({ message: words.mailed(invitation.email) })
          else setSent(invitation)
        }}
      >
        <TextInput
          name="email"
          type="email"
          label={words.email}
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
        />
        <RoleSelect initial="editor" offers={isTeamRole} />
      </FormDialog>
      <Modal
        opened={sent !== null}
        onClose={() => setSent(null)}
        title={words.invitedTitle}
        closeButtonProps={{ 'aria-label': texts.close }}
      >
        {sent && (
          <>
            <p>{words.invitedText(sent.email, formatInstant(sent.expiresAt))}</p>
            <CopyText label={words.link} value={sent.link ?? ''} />
            <Group justify="flex-end" mt={20}>
              <Button onClick={() => setSent(null)}>{words.done}</Button>
            </Group>
          </>
        )}
      </Modal>
    </>
  )
}
