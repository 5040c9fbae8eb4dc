/** Replaces the secret of a token, and says until when it is valid. */
import { Select } from '@mantine/core'
import { type CreatedToken, regenerateToken, type Token, tokensQuery } from '../../api/settings/tokens.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { useChange } from '../parts/use-change.ts'
import { expiryOf, LIFETIMES } from './lifetimes.ts'
import styles from './tokens.module.css'

const { tokens: words } = settingsTexts

const UNCHANGED = 'unchanged'

interface RegenerateTokenDialogProps {
  readonly token: Token | null
  readonly onClose: () => void
  readonly onRegenerated: (token: CreatedToken) => void
}

export function RegenerateTokenDialog({ token, onClose, onRegenerated }: RegenerateTokenDialogProps) {
  const change = useChange(tokensQuery.queryKey)
  const isExpired = token !== null && token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now()
  return (
    <FormDialog
      isOpen={token !== null}
      onClose={onClose}
      title={words.regenerateTitle(token?.name ?? '')}
      submit={words.regenerate}
      onSubmit={async (field) => {
        if (!token) return
        const lifetime = field('lifetime')
        const expiry = lifetime === UNCHANGED ? {} : { expiresAt: expiryOf(lifetime) }
        onRegenerated(await change(() => regenerateToken(token.id, expiry)))
      }}
    >
      <p className={styles.text}>{words.regenerateText}</p>
      <Select
        name="lifetime"
        label={words.lifetime}
        data={isExpired ? LIFETIMES : [{ value: UNCHANGED, label: words.unchanged }, ...LIFETIMES]}
        defaultValue={isExpired ? '90' : UNCHANGED}
        allowDeselect={false}
      />
    </FormDialog>
  )
}
