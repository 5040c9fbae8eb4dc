/** The frame of the screens before a session: one narrow form on a quiet page. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { Wordmark } from '../wordmark.tsx'
import styles from './accounts.module.css'

interface AccountFrameProps {
  readonly title: string
  readonly text?: string
  /** Whether a link leads back to the form for signing in. */
  readonly hasWayBack?: boolean
  readonly children?: ReactNode
}

export function AccountFrame({ title, text, hasWayBack = false, children }: AccountFrameProps) {
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <Wordmark />
        <h1 className={styles.title}>{title}</h1>
        {text && <p className={styles.text}>{text}</p>}
        {children}
        {hasWayBack && (
          <p className={styles.back}>
            <Link to="/" className={styles.link}>
              {texts.account.backToSignIn}
            </Link>
          </p>
        )}
      </div>
    </main>
  )
}
