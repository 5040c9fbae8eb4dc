/** Chooses a new password with the link of a mail. */
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/request.ts'
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
  const [isCodeRefused, setIsCodeRefused] = useState(false)
  const { onSubmit, error, isPending } = useSubmit(async (field) => {
    await resetPassword({ code, password: field('password') }).catch((refusal: unknown) => {
      setIsCodeRefused(refusal instanceof ApiError && refusal.problems.some(({ path }) => path[0] === 'code'))
      throw refusal
    })
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    await navigate({ to: '/' })
  })
  if (code === '' || isCodeRefused)
    return (
      <AccountFrame title={texts.account.resetInvalid} text={texts.account.resetInvalidText} hasWayBack>
        <Button fullWidth mt={20} renderRoot={(props) => <Link to="/forgot-password" {...props} />}>
          {texts.account.newLink}
        </Button>
      </AccountFrame>
    )
  return (
    <AccountFrame title={texts.account.resetTitle} hasWayBack>
      <SubmitForm onSubmit={onSubmit} error={error} isPending={isPending} label={texts.account.savePassword}>
        <NewPasswordInput label={texts.account.newPassword} />
      </SubmitForm>
    </AccountFrame>
  )
}
