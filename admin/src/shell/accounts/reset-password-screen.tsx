/** Chooses a new password with the link of a mail. */
import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
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
  const [needsCode, setNeedsCode] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { onSubmit, error, isPending } = useSubmit(async (field) => {
    const secondFactor = field('secondFactor')
    try {
      await resetPassword({ code, password: field('password'), ...(secondFactor !== '' && { secondFactor }) })
    } catch (failure) {
      const factor = failure instanceof ApiError ? failure.details.secondFactor : undefined
      if (factor === undefined) throw failure
      setNeedsCode(true)
      if (factor === 'invalid') throw new Error(texts.account.codeInvalid)
      return
    }
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    await navigate({ to: '/' })
  })
  return (
    <AccountFrame title={texts.account.resetTitle}>
      <SubmitForm onSubmit={onSubmit} error={error} isPending={isPending} label={texts.account.savePassword}>
        <NewPasswordInput label={texts.account.newPassword} />
        {needsCode && (
          <TextInput
            name="secondFactor"
            label={texts.account.code}
            description={texts.account.codeHint}
            autoComplete="one-time-code"
            required
            withAsterisk={false}
            autoFocus
          />
        )}
      </SubmitForm>
    </AccountFrame>
  )
}
