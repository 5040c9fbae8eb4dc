/** Invitations that are not accepted yet. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { type OpenInvitation, revokeInvitation, teamKey } from '../../api/team.ts'
import { formatInstant } from '../../content/dates.ts'
import { texts } from '../../texts.ts'
import { DangerDialog } from '../parts/danger-dialog.tsx'
import styles from '../parts/parts.module.css'
import { useChange } from '../parts/use-change.ts'

const { team: words } = texts.settings

export function InvitationTable({ invitations }: { readonly invitations: readonly OpenInvitation[] }) {
  const change = useChange(teamKey)
  const [revoked, setRevoked] = useState<OpenInvitation | null>(null)
  return (
    <section>
      <h2 className={styles.subtitle}>{words.invitations}</h2>
      {invitations.length === 0 ? (
        <p className={styles.empty}>{words.noInvitations}</p>
      ) : (
        <div className={styles.scroller}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th>{words.email}</th>
                <th>{texts.settings.role}</th>
                <th className={styles.wide}>{words.invitedBy}</th>
                <th className={styles.wide}>{words.expires}</th>
                <th>
                  <span className="visually-hidden">{texts.settings.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {invitations.map((invitation) => (
                <tr key={invitation.id}>
                  <td className={styles.name}>{invitation.email}</td>
                  <td>{invitation.role.name}</td>
                  <td className={styles.wide}>{invitation.invitedBy}</td>
                  <td className={styles.wide}>{formatInstant(invitation.expiresAt)}</td>
                  <td>
                    <Button
                      size="xs"
                      variant="default"
                      onClick={() => setRevoked(invitation)}
                      aria-label={words.revokeOf(invitation.email)}
                    >
                      {words.revoke}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
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
