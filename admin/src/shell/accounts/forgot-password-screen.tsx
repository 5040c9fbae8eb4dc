/** Asks for a link to choose a new password. */
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { requestPasswordReset, sessionQuery } from '../../api/session.ts'
import { texts } from '../../texts.ts'
import { AccountFrame } from './account-frame.tsx'
import styles from './accounts.module.css'
import { SubmitForm } from './submit-form.tsx'
import { useSubmit } from './use-submit.ts'

export function ForgotPasswordScreen() {
  const hasMail = useQuery(sessionQuery).data?.meta.mail ?? true
  const { onSubmit, error, isPending, isSuccess } = useSubmit((field) => requestPasswordReset(field('email')))
  const text = !hasMail
    ? texts.account.forgotNoMail
    : isSuccess
      ? texts.account.linkSent
      : texts.account.forgotText
  return (
    <AccountFrame title={texts.account.forgotTitle} text={text}>
      {hasMail && !isSuccess && (
        <SubmitForm onSubmit={onSubmit} error={error} isPending={isPending} label={texts.account.sendLink}>
          <TextInput
            name="email"
            type="email"
            label={texts.account.email}
            autoComplete="email"
            required
            withAsterisk={false}
            autoFocus
          />
        </SubmitForm>
      )}
      <p>
        <Link to="/" className={styles.link}>
          {texts.account.backToSignIn}
        </Link>
      </p>
    </AccountFrame>
  )
}
