/** The name of the product, beside the spine of a book. */
import { texts } from '../texts.ts'
import styles from './wordmark.module.css'

export function Wordmark() {
  return (
    <span className={styles.wordmark}>
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        <path
          className={styles.cover}
          d="M4.5 1.5h10a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2h-10a1 1 0 0 1-1-1v-15a1 1 0 0 1 1-1Z"
        />
        <path className={styles.spine} d="M6.75 1.5v17" />
        <circle className={styles.spine} cx="11.6" cy="10" r="2.4" fill="none" />
      </svg>
      {texts.product}
    </span>
  )
}
