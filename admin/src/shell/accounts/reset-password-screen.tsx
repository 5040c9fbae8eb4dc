/** Chooses a new password with the link of a mail. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { resetPassword, sessionQuery } from '../../api/session.ts'
import { texts } from '../../texts.ts'
import { AccountFrame } from './account-frame.tsx'
import { NewPasswordInput } from './new-password-input.tsx'
import { SubmitForm } from './submit-form.tsx'
import { useSubmit } from './use-submit.ts'

export function ResetPasswordScreen() {
  const { code } = useSearch({ from: '/reset-password' })
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { onSubmit, error, isPending } = useSubmit(async (field) => {
    await resetPassword({ code, password: field('password') })
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    await navigate({ to: '/' })
  })
  return (
    <AccountFrame title={texts.account.resetTitle} hasWayBack>
      <SubmitForm onSubmit={onSubmit} error={error} isPending={isPending} label={texts.account.savePassword}>
        <NewPasswordInput label={texts.account.newPassword} />
      </SubmitForm>
    </AccountFrame>
  )
}
