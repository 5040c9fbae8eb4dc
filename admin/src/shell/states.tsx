/** What a screen shows while it loads, when it is empty, and when it fails. */
import { Button, Loader } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { messageOf } from '../api/request.ts'
import { texts } from '../texts.ts'
import styles from './states.module.css'

export function Loading() {
  return (
    <div className={styles.state} role="status">
      <Loader size="sm" color="gray" />
      <span className="visually-hidden">{texts.loading}</span>
    </div>
  )
}

interface MessageProps {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

export function Message({ title, children, action }: MessageProps) {
  return (
    <div className={styles.state}>
      <h2 className={styles.title}>{title}</h2>
      {children && <p className={styles.text}>{children}</p>}
      {action}
    </div>
  )
}

export function ScreenError({ error, reset }: { readonly error: unknown; readonly reset?: () => void }) {
  return (
    <Message
      title={texts.errors.screen}
      action={
        <Button variant="default" onClick={reset ?? (() => window.location.reload())}>
          {texts.retry}
        </Button>
      }
    >
      {messageOf(error)}
    </Message>
  )
}

export function NotFound() {
  return (
    <Message
      title={texts.errors.notFound}
      action={
        <Link to="/" className={styles.link}>
          {texts.errors.toHome}
        </Link>
      }
    >
      {texts.errors.notFoundHint}
    </Message>
  )
}
