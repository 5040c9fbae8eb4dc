/** The first start of a server: creates its first administrator. */
import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { sessionQuery, setUp } from '../../api/session.ts'
import { texts } from '../../texts.ts'
import { AccountFrame } from './account-frame.tsx'
import { NewPasswordInput } from './new-password-input.tsx'
import { SubmitForm } from './submit-form.tsx'
import { useSubmit } from './use-submit.ts'

export function SetupScreen() {
  const { token } = useSearch({ from: '/setup' })
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { onSubmit, error, isPending } = useSubmit(async (field) => {
    await setUp({ token, username: field('username'), email: field('email'), password: field('password') })
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    await navigate({ to: '/' })
  })
  if (token === '')
    return <AccountFrame title={texts.account.setupTitle} text={texts.account.setupNoToken} hasWayBack />
  return (
    <AccountFrame title={texts.account.setupTitle} text={texts.account.setupText}>
      <SubmitForm onSubmit={onSubmit} error={error} isPending={isPending} label={texts.account.createAdmin}>
        <TextInput
          name="username"
          label={texts.account.username}
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
        />
        <TextInput
          name="email"
          type="email"
          label={texts.account.email}
          autoComplete="email"
          required
          withAsterisk={false}
        />
        <NewPasswordInput />
      </SubmitForm>
    </AccountFrame>
  )
}
