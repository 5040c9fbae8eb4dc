/** Shows the secret of a webhook once. */
import { Button, Group, Modal } from '@mantine/core'
import { useCopy } from '../../parts/copy.ts'
import { webhookTexts } from '../../texts/settings/webhooks.ts'
import { texts } from '../../texts.ts'
import styles from './webhooks.module.css'

interface SecretDialogProps {
  /** Null when there is nothing to show. */
  readonly secret: string | null
  readonly onClose: () => void
}

export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  const { copy, copied } = useCopy()
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={webhookTexts.secretTitle}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <p className={styles.dialogText}>{webhookTexts.secretText}</p>
      <code className={styles.secret}>{secret}</code>
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="default" onClick={() => copy(secret ?? '')}>
          {copied ? webhookTexts.copied : webhookTexts.copy}
        </Button>
        <Button onClick={onClose}>{webhookTexts.close}</Button>
      </Group>
    </Modal>
  )
}
