/** Turns the second factor of one's own account on and off. */
import { PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { confirmSecondFactor, meQuery, removeSecondFactor, startSecondFactor } from '../../api/session.ts'
import { texts } from '../../texts.ts'
import { useMe } from '../me.tsx'
import styles from './accounts.module.css'
import { SubmitForm } from './submit-form.tsx'
import { useSubmit } from './use-submit.ts'

const QrCode = lazy(() => import('./qr-code.tsx'))

type Step =
  | { readonly kind: 'start' }
  | { readonly kind: 'confirm'; readonly secret: string; readonly uri: string }
  | { readonly kind: 'recovery'; readonly codes: readonly string[] }

export function SecondFactorSection() {
  const { user } = useMe()
  const [step, setStep] = useState<Step>({ kind: 'start' })
  return (
    <section className={styles.section}>
      <h2 className={styles.sectionTitle}>{texts.account.secondFactor}</h2>
      {step.kind === 'start' && <StartStep isOn={user.secondFactor} onStep={setStep} />}
      {step.kind === 'confirm' && <ConfirmStep secret={step.secret} uri={step.uri} onStep={setStep} />}
      {step.kind === 'recovery' && (
        <>
          <p className={styles.text}>{texts.account.recoveryHint}</p>
          <ul className={styles.codes} aria-label={texts.account.recoveryCodes}>
            {step.codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** Easier to read and to type. Authenticator apps ignore the spaces. */
const groupsOfFour = (secret: string) => secret.replaceAll(/.{4}(?=.)/g, '$& ')

interface StepProps {
  readonly onStep: (step: Step) => void
}

function StartStep({ isOn, onStep }: StepProps & { readonly isOn: boolean }) {
  const queryClient = useQueryClient()
  const { onSubmit, error, isPending } = useSubmit(async (field) => {
    const password = field('currentPassword')
    if (isOn) {
      await removeSecondFactor(password)
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
    } else onStep({ kind: 'confirm', ...(await startSecondFactor(password)).data })
  })
  const { turnOn, turnOff, secondFactorOn, secondFactorOff, currentPassword } = texts.account
  return (
    <>
      <p className={styles.text}>{isOn ? secondFactorOn : secondFactorOff}</p>
      <SubmitForm
        onSubmit={onSubmit}
        error={error}
        isPending={isPending}
        label={isOn ? turnOff : turnOn}
        isQuiet
      >
        <PasswordInput
          name="currentPassword"
          label={currentPassword}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
      </SubmitForm>
    </>
  )
}

function ConfirmStep({ secret, uri, onStep }: StepProps & { readonly secret: string; readonly uri: string }) {
  const queryClient = useQueryClient()
  const { onSubmit, error, isPending } = useSubmit(async (field) => {
    const { data } = await confirmSecondFactor(field('code').replaceAll(' ', ''))
    onStep({ kind: 'recovery', codes: data.recoveryCodes })
    await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
  })
  return (
    <>
      <div className={styles.secondFactor}>
        <div className={styles.qrPlace}>
          <Suspense>
            <QrCode value={uri} label={texts.account.qrCode} />
          </Suspense>
        </div>
        <div>
          <p className={styles.text}>{texts.account.scanHint}</p>
          <p className={styles.text}>{texts.account.secretHint}</p>
          <a className={styles.secret} href={uri} aria-label={`${texts.account.secret} ${secret}`}>
            {groupsOfFour(secret)}
          </a>
        </div>
      </div>
      <SubmitForm
        onSubmit={onSubmit}
        error={error}
        isPending={isPending}
        label={texts.account.confirm}
        isQuiet
      >
        <TextInput
          name="code"
          label={texts.account.code}
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          autoFocus
        />
      </SubmitForm>
    </>
  )
}
