/** Invitations that are not accepted yet. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { type OpenInvitation, revokeInvitation, teamKey } from '../../api/settings/team.ts'
import { formatInstant } from '../../content/dates.ts'
import { Cell, Table } from '../../parts/table.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { DangerDialog } from '../parts/danger-dialog.tsx'
import styles from '../parts/parts.module.css'
import { useChange } from '../parts/use-change.ts'

const { team: words } = settingsTexts

export function InvitationTable({ invitations }: { readonly invitations: readonly OpenInvitation[] }) {
  const change = useChange(teamKey)
  const [revoked, setRevoked] = useState<OpenInvitation | null>(null)
  return (
    <section>
      <h2 className={styles.subtitle}>{words.invitations}</h2>
      {invitations.length === 0 ? (
        <p className={styles.empty}>{words.noInvitations}</p>
      ) : (
        <Table
          label={words.invitations}
          columns={[
            { label: words.email },
            { label: settingsTexts.role },
            { label: words.invitedBy, isSecondary: true },
            { label: words.expires, isSecondary: true },
            { label: '' },
          ]}
        >
          {invitations.map((invitation) => (
            <tr key={invitation.id}>
              <td className={styles.name}>{invitation.email}</td>
              <td>{invitation.role.name}</td>
              <Cell isSecondary>{invitation.invitedBy}</Cell>
              <Cell isSecondary>{formatInstant(invitation.expiresAt)}</Cell>
              <Cell isShort>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => setRevoked(invitation)}
                  aria-label={words.revokeOf(invitation.email)}
                >
                  {words.revoke}
                </Button>
              </Cell>
            </tr>
          ))}
        </Table>
      )}
      <DangerDialog
        confirmation={
          revoked && {
            title: words.revokeTitle,
            text: words.revokeText(revoked.email),
            label: words.revoke,
            act: () => change(() => revokeInvitation(revoked.id)),
          }
        }
        onClose={() => setRevoked(null)}
      />
    </section>
  )
}
