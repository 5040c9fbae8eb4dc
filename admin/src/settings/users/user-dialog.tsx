/** Creates or changes an end user. */
import { Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { changeEndUser, createEndUser, type EndUser, endUsersKey } from '../../api/settings/end-users.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useMe } from '../../shell/me.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { texts } from '../../texts.ts'
import { RoleSelect } from '../parts/role-select.tsx'
import { useChange } from '../parts/use-change.ts'

const { users: words } = settingsTexts

interface UserDialogProps {
  readonly user: EndUser | 'new' | null
  readonly onClose: () => void
}

export function UserDialog({ user, onClose }: UserDialogProps) {
  const { settings } = useMe()
  const change = useChange(endUsersKey)
  const existing = user === 'new' ? null : user
  return (
    <FormDialog
      isOpen={user !== null}
      onClose={onClose}
      title={existing ? words.editTitle(existing.username) : words.createTitle}
      submit={existing ? words.save : words.createSubmit}
      onSubmit={(field) => {
        const role = field('role')
        const values = {
          username: field('username'),
          email: field('email'),
          confirmed: field('confirmed') !== '',
          ...(field('password') !== '' && { password: field('password') }),
          ...(role !== '' && role !== existing?.role?.type && { role }),
        }
        return change(() => (existing ? changeEndUser(existing.id, values) : createEndUser(values)))
      }}
    >
      <TextInput
        name="username"
        label={words.username}
        defaultValue={existing?.username ?? ''}
        autoComplete="off"
        required
        withAsterisk={false}
        data-autofocus
      />
      <TextInput
        name="email"
        type="email"
        label={words.email}
        defaultValue={existing?.email ?? ''}
        autoComplete="off"
        required
        withAsterisk={false}
      />
      <PasswordInput
        name="password"
        label={existing ? words.newPassword : words.password}
        description={
          existing ? words.newPasswordHint : texts.account.passwordHint(settings.passwordMinLength)
        }
        autoComplete="new-password"
        required={!existing}
        withAsterisk={false}
      />
      <RoleSelect
        initial={existing ? (existing.role?.type ?? null) : 'authenticated'}
        offers={({ type }) => type !== 'public'}
        description={words.teamHint}
      />
      <Checkbox name="confirmed" label={words.confirmed} defaultChecked={existing?.confirmed ?? true} />
    </FormDialog>
  )
}
