/** One's own account: profile, password, second factor and sessions. */
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../../api/request.ts'
import {
  changeAccount,
  changePassword,
  endOtherSessions,
  endOwnSession,
  meQuery,
  openSessionsQuery,
  sessionQuery,
} from '../../api/session.ts'
import { texts } from '../../texts.ts'
import { useMe } from '../me.tsx'
import styles from './accounts.module.css'
import { NewPasswordInput } from './new-password-input.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SessionList } from './session-list.tsx'
import { SubmitForm } from './submit-form.tsx'
import { useSubmit } from './use-submit.ts'

export function AccountScreen() {
  return (
    <div className={styles.sections}>
      <h1 className={styles.heading}>{texts.account.title}</h1>
      <Profile />
      <Password />
      <SecondFactorSection />
      <Sessions />
    </div>
  )
}

const showSaved = () => notifications.show({ message: texts.account.saved })

function CurrentPassword() {
  return (
    <PasswordInput
      name="currentPassword"
      label={texts.account.currentPassword}
      autoComplete="current-password"
      required
      withAsterisk={false}
    />
  )
}

function Profile() {
  const { user } = useMe()
  const queryClient = useQueryClient()
  const { onSubmit, error, isPending } = useSubmit(async (field) => {
    await changeAccount({
      username: field('username'),
      email: field('email'),
      currentPassword: field('currentPassword'),
    })
    await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    showSaved()
  })
  return (
    <section className={styles.section}>
      <h2 className={styles.sectionTitle}>{texts.account.profile}</h2>
      <SubmitForm onSubmit={onSubmit} error={error} isPending={isPending} label={texts.account.save} isQuiet>
        <TextInput
          name="username"
          label={texts.account.username}
          defaultValue={user.username}
          required
          withAsterisk={false}
        />
        <TextInput
          name="email"
          type="email"
          label={texts.account.email}
          defaultValue={user.email}
          required
          withAsterisk={false}
        />
        <CurrentPassword />
      </SubmitForm>
    </section>
  )
}

function Password() {
  const { onSubmit, error, isPending } = useSubmit(async (field) => {
    await changePassword({ currentPassword: field('currentPassword'), password: field('password') })
    showSaved()
  })
  return (
    <section className={styles.section}>
      <h2 className={styles.sectionTitle}>{texts.account.changePassword}</h2>
      <p className={styles.text}>{texts.account.changePasswordHint}</p>
      <SubmitForm
        onSubmit={onSubmit}
        error={error}
        isPending={isPending}
        label={texts.account.changePassword}
        isQuiet
      >
        <CurrentPassword />
        <NewPasswordInput label={texts.account.newPassword} />
      </SubmitForm>
    </section>
  )
}

function Sessions() {
  const { data: sessions = [] } = useQuery(openSessionsQuery)
  const queryClient = useQueryClient()
  const end = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      notifications.show({ color: 'red', message: messageOf(error) })
    }
    await queryClient.invalidateQueries({ queryKey: openSessionsQuery.queryKey })
  }
  return (
    <section className={styles.section}>
      <h2 className={styles.sectionTitle}>{texts.account.sessions}</h2>
      <SessionList sessions={sessions} onEnd={(id) => void end(() => endOwnSession(id))} />
      {sessions.length > 1 && (
        <Button variant="default" onClick={() => void end(endOtherSessions)}>
          {texts.account.endOthers}
        </Button>
      )}
    </section>
  )
}
