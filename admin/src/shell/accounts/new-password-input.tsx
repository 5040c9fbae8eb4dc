/** A password to choose; the server decides how long it must be. */
import { PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/session.ts'
import { texts } from '../../texts.ts'

export function NewPasswordInput({ label = texts.account.password }: { readonly label?: string }) {
  const minLength = useQuery(sessionQuery).data?.meta.passwordMinLength
  return (
    <PasswordInput
      name="password"
      label={label}
      {...(minLength !== undefined && { description: texts.account.passwordHint(minLength), minLength })}
      autoComplete="new-password"
      required
      withAsterisk={false}
    />
  )
}
