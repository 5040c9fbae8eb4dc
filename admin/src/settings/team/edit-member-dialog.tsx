/** Changes the name, address and role of a person. */
import { TextInput } from '@mantine/core'
import { changeMember, type TeamMember, teamKey } from '../../api/settings/team.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { isTeamRole, RoleSelect } from '../parts/role-select.tsx'
import { useChange } from '../parts/use-change.ts'

const { team: words } = settingsTexts

interface EditMemberDialogProps {
  readonly member: TeamMember | null
  readonly onClose: () => void
}

export function EditMemberDialog({ member, onClose }: EditMemberDialogProps) {
  const change = useChange(teamKey)
  return (
    <FormDialog
      isOpen={member !== null}
      onClose={onClose}
      title={words.editTitle(member?.username ?? '')}
      submit={words.save}
      onSubmit={async (field) =>
        member &&
        change(() =>
          changeMember(member.id, {
            username: field('username'),
            email: field('email'),
            ...(field('role') !== member.role.type && { role: field('role') }),
          }),
        )
      }
    >
      <TextInput
        name="username"
        label={words.username}
        defaultValue={member?.username}
        required
        withAsterisk={false}
        data-autofocus
      />
      <TextInput
        name="email"
        type="email"
        label={words.email}
        defaultValue={member?.email}
        required
        withAsterisk={false}
      />
      <RoleSelect initial={member?.role.type ?? null} offers={isTeamRole} />
    </FormDialog>
  )
}
