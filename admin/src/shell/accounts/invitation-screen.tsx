/** An invited person chooses a name and a password. */
import { TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { messageOf } from '../../api/request.ts'
import { acceptInvitation, invitationQuery, sessionQuery } from '../../api/session.ts'
import { texts } from '../../texts.ts'
import { Loading } from '../states.tsx'
import { AccountFrame } from './account-frame.tsx'
import { NewPasswordInput } from './new-password-input.tsx'
import { SubmitForm } from './submit-form.tsx'
import { useSubmit } from './use-submit.ts'

export function InvitationScreen() {
  const { code } = useSearch({ from: '/invitation' })
  const { data: invitation, error: invalid } = useQuery(invitationQuery(code))
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { onSubmit, error, isPending } = useSubmit(async (field) => {
    await acceptInvitation({ code, username: field('username'), password: field('password') })
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    await navigate({ to: '/' })
  })
  if (invalid)
    return <AccountFrame title={texts.account.invitationInvalid} text={messageOf(invalid)} hasWayBack />
  if (!invitation) return <Loading />
  const { email, role } = invitation
  return (
    <AccountFrame title={texts.account.invitationTitle} text={texts.account.invitationText(email, role.name)}>
      <SubmitForm onSubmit={onSubmit} error={error} isPending={isPending} label={texts.account.join}>
        <TextInput
          name="username"
          label={texts.account.username}
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
        />
        <NewPasswordInput />
      </SubmitForm>
    </AccountFrame>
  )
}
