/** Signing in, with a second step for accounts that require a one-time code. */
import { PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/request.ts'
import { sessionQuery, signIn } from '../../api/session.ts'
import { texts } from '../../texts.ts'
import { SubmitForm } from './submit-form.tsx'
import { useSubmit } from './use-submit.ts'

interface SignInFormProps {
  /** The account of a session that has ended. */
  readonly username?: string
  readonly onSignedIn?: () => void
}

export function SignInForm({ username, onSignedIn }: SignInFormProps) {
  const queryClient = useQueryClient()
  const [needsCode, setNeedsCode] = useState(false)
  const { onSubmit, error, isPending } = useSubmit(async (field) => {
    const code = field('code').replaceAll(' ', '')
    try {
      await signIn({
        identifier: field('identifier'),
        password: field('password'),
        ...(code !== '' && { code }),
      })
    } catch (failure) {
      const factor = failure instanceof ApiError ? failure.details.secondFactor : undefined
      if (factor === undefined) throw failure
      setNeedsCode(true)
      if (factor === 'invalid') throw new Error(texts.account.codeInvalid)
      return
    }
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    onSignedIn?.()
  })
  return (
    <SubmitForm onSubmit={onSubmit} error={error} isPending={isPending} label={texts.account.signIn}>
      <TextInput
        name="identifier"
        label={texts.account.identifier}
        autoComplete="username"
        defaultValue={username ?? ''}
        required
        withAsterisk={false}
        autoFocus={username === undefined}
      />
      <PasswordInput
        name="password"
        label={texts.account.password}
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus={username !== undefined}
      />
      {needsCode && (
        <TextInput
          name="code"
          label={texts.account.code}
          description={texts.account.codeHint}
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          autoFocus
        />
      )}
    </SubmitForm>
  )
}
