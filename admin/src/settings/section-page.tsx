/** The page of a section: its title, one sentence about it, its main action, and what it shows. */
import type { ReactNode } from 'react'
import styles from './section-page.module.css'

interface SectionPageProps {
  readonly title: string
  readonly text?: ReactNode
  readonly action?: ReactNode
  readonly children: ReactNode
}

export function SectionPage({ title, text, action, children }: SectionPageProps) {
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.heading}>
          <h1 className={styles.title}>{title}</h1>
          {text && <p className={styles.text}>{text}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  )
}
