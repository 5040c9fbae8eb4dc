/** The tokens that are not revoked. */
import { ActionIcon, Menu, Modal } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { type CreatedToken, deleteToken, type Token, tokensQuery } from '../../api/settings/tokens.ts'
import { formatInstant } from '../../content/dates.ts'
import { Cell, Table } from '../../parts/table.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { texts } from '../../texts.ts'
import { DangerDialog } from '../parts/danger-dialog.tsx'
import styles from '../parts/parts.module.css'
import { useChange } from '../parts/use-change.ts'
import { RegenerateTokenDialog } from './regenerate-token-dialog.tsx'
import tokenStyles from './tokens.module.css'

const { tokens: words } = settingsTexts

interface TokenTableProps {
  readonly tokens: readonly Token[]
  /** Shows the new secret of a token. */
  readonly onRegenerated: (token: CreatedToken) => void
}

export function TokenTable({ tokens, onRegenerated }: TokenTableProps) {
  const change = useChange(tokensQuery.queryKey)
  const [deleted, setDeleted] = useState<Token | null>(null)
  const [regenerated, setRegenerated] = useState<Token | null>(null)
  const [shown, setShown] = useState<Token | null>(null)
  return (
    <>
      <Table
        label={words.title}
        columns={[
          { label: words.name },
          { label: words.kind },
          { label: words.lastUsed, isSecondary: true },
          { label: words.expires, isSecondary: true },
          { label: '' },
        ]}
      >
        {tokens.map((token) => (
          <tr key={token.id}>
            <td className={styles.name}>{token.name}</td>
            <td>
              {words.kinds[token.type]}
              {token.permissions && (
                <div>
                  <button type="button" className={tokenStyles.link} onClick={() => setShown(token)}>
                    {words.showPermissions(Object.keys(token.permissions).length)}
                  </button>
                </div>
              )}
            </td>
            <Cell isSecondary>
              <TimeAgo at={token.lastUsedAt} never={words.neverUsed} />
            </Cell>
            <Cell isSecondary>
              <Expiry expiresAt={token.expiresAt} />
            </Cell>
            <Cell isShort>
              {token.source === 'config' ? (
                <span className={styles.small}>{words.fromConfig}</span>
              ) : (
                <Menu position="bottom-end" width={180}>
                  <Menu.Target>
                    <ActionIcon aria-label={settingsTexts.more(token.name)}>
                      <IconDots size={16} stroke={1.5} />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item onClick={() => setRegenerated(token)}>{words.regenerate}</Menu.Item>
                    <Menu.Item color="var(--danger)" onClick={() => setDeleted(token)}>
                      {words.delete}
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              )}
            </Cell>
          </tr>
        ))}
      </Table>
      <RegenerateTokenDialog
        token={regenerated}
        onClose={() => setRegenerated(null)}
        onRegenerated={onRegenerated}
      />
      <DangerDialog
        confirmation={
          deleted && {
            title: words.deleteTitle(deleted.name),
            text: words.deleteText,
            label: words.delete,
            act: () => change(() => deleteToken(deleted.id)),
          }
        }
        onClose={() => setDeleted(null)}
      />
      <Modal
        opened={shown !== null}
        onClose={() => setShown(null)}
        title={words.permissionsOf(shown?.name ?? '')}
        size="lg"
        closeButtonProps={{ 'aria-label': texts.close }}
      >
        <pre className={tokenStyles.json}>{JSON.stringify(shown?.permissions, null, 2)}</pre>
      </Modal>
    </>
  )
}

function Expiry({ expiresAt }: { readonly expiresAt: string | null }) {
  if (expiresAt === null) return <span className={styles.muted}>{words.never}</span>
  if (Date.parse(expiresAt) <= Date.now()) return <span className={styles.warning}>{words.expired}</span>
  return <time dateTime={expiresAt}>{formatInstant(expiresAt)}</time>
}
