/** Says that the server cannot be reached, such as during a restart, until it responds again. */
import { texts } from '../texts.ts'
import styles from './shell.module.css'

export function ConnectionNotice({ isLost }: { readonly isLost: boolean }) {
  return (
    <div
      role="status"
      className={styles.connection}
      hidden={!isLost}
      data-connection-lost={isLost || undefined}
    >
      {isLost && texts.errors.connectionLost}
    </div>
  )
}
