/** The secret of a new token, shown once. */
import { Button, Group, Modal } from '@mantine/core'
import { appUrl, rootUrl } from '../../api/request.ts'
import type { CreatedToken } from '../../api/settings/tokens.ts'
import { useMe } from '../../shell/me.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { CopyText } from '../parts/copy-text.tsx'
import styles from './tokens.module.css'

const { tokens: words } = settingsTexts

interface CreatedTokenDialogProps {
  readonly token: CreatedToken | null
  readonly onClose: () => void
}

/** Stays until it is closed with a button: a press beside it must not lose the secret. */
export function CreatedTokenDialog({ token, onClose }: CreatedTokenDialogProps) {
  const example = useExample(token)
  return (
    <Modal
      opened={token !== null}
      onClose={onClose}
      title={words.createdTitle}
      size={560}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      {token && (
        <div className={styles.created}>
          <p>{words.createdText}</p>
          <CopyText label={words.secret} value={token.token} />
          <CopyText
            label={words.curl}
            value={`curl -H "Authorization: Bearer ${token.token}" \\\n  "${example}"`}
          />
          <Group justify="flex-end">
            <Button onClick={onClose}>{words.done}</Button>
          </Group>
        </div>
      )}
    </Modal>
  )
}

/** An address that the token may read. */
function useExample(token: CreatedToken | null): string {
  const { contentTypes } = useMe()
  if (token?.type === 'admin') return new URL('api/content-types', appUrl).href
  const types = contentTypes.filter(({ uid }) => uid.startsWith('api::'))
  const permitted = types.find(({ uid }) => token?.permissions?.[uid] !== undefined) ?? types[0]
  return new URL(`api/${permitted?.path ?? ''}`, rootUrl).href
}
