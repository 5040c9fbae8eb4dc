/** The frame of the screens before a session: one narrow form on a quiet page. */
import type { ReactNode } from 'react'
import { Wordmark } from '../wordmark.tsx'
import styles from './accounts.module.css'

interface AccountFrameProps {
  readonly title: string
  readonly text?: string
  readonly children?: ReactNode
}

export function AccountFrame({ title, text, children }: AccountFrameProps) {
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <Wordmark />
        <h1 className={styles.title}>{title}</h1>
        {text && <p className={styles.text}>{text}</p>}
        {children}
      </div>
    </main>
  )
}
