/** What a person without a session sees, whatever the address. */
import { Link } from '@tanstack/react-router'
import type { SessionState } from '../../api/types.ts'
import { texts } from '../../texts.ts'
import { AccountFrame } from './account-frame.tsx'
import styles from './accounts.module.css'
import { SignInForm } from './sign-in-form.tsx'

export function SignInScreen({ meta }: { readonly meta: SessionState['meta'] }) {
  return (
    <AccountFrame title={texts.account.signIn} text={meta.needsSetup ? texts.account.needsSetup : ''}>
      <SignInForm />
      <p>
        <Link to="/forgot-password" className={styles.link}>
          {texts.account.forgotten}
        </Link>
      </p>
    </AccountFrame>
  )
}
