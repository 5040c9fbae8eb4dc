/** A text to be copied, such as a link or a secret. */
import { Button } from '@mantine/core'
import { useCopy } from '../../parts/copy.ts'
import { settingsTexts } from '../../texts/settings/settings.ts'
import styles from './parts.module.css'

interface CopyTextProps {
  readonly label: string
  readonly value: string
}

export function CopyText({ label, value }: CopyTextProps) {
  const { copy, copied } = useCopy()
  return (
    <div className={styles.copy}>
      <span className={styles.copyLabel}>{label}</span>
      <code className={styles.copyValue}>{value}</code>
      <Button
        size="xs"
        variant="default"
        onClick={() => copy(value)}
        aria-label={`${settingsTexts.copy}: ${label}`}
      >
        {copied ? settingsTexts.copied : settingsTexts.copy}
      </Button>
    </div>
  )
}
