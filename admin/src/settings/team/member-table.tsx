/** The people of the team, each with a menu. */
import { useState } from 'react'
import type { TeamMember } from '../../api/settings/team.ts'
import { Cell, Table } from '../../parts/table.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { useMe } from '../../shell/me.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { type Confirmation, DangerDialog } from '../parts/danger-dialog.tsx'
import styles from '../parts/parts.module.css'
import { EditMemberDialog } from './edit-member-dialog.tsx'
import { MemberMenu } from './member-menu.tsx'
import { MemberSessionsDialog } from './member-sessions-dialog.tsx'

const { team: words } = settingsTexts

export function MemberTable({ members }: { readonly members: readonly TeamMember[] }) {
  const { user } = useMe()
  const [edited, setEdited] = useState<TeamMember | null>(null)
  const [shown, setShown] = useState<TeamMember | null>(null)
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null)
  return (
    <>
      <Table
        label={words.title}
        columns={[
          { label: words.person },
          { label: settingsTexts.role },
          { label: words.secondFactor, isSecondary: true },
          { label: words.lastSeen, isSecondary: true },
          { label: '' },
        ]}
      >
        {members.map((member) => (
          <tr key={member.id}>
            <td>
              <div className={styles.name}>
                {member.username}
                {member.id === user.id && <span className={styles.muted}> ({words.you})</span>}
              </div>
              <div className={styles.small}>{member.email}</div>
            </td>
            <td>
              {member.role.name}
              {member.blocked && <div className={styles.warning}>{words.blocked}</div>}
            </td>
            <Cell isSecondary>
              {member.secondFactor ? words.on : <span className={styles.muted}>{words.off}</span>}
            </Cell>
            <Cell isSecondary>
              <TimeAgo at={member.lastSeenAt} never={words.neverSeen} />
            </Cell>
            <Cell isShort>
              <MemberMenu
                member={member}
                onEdit={() => setEdited(member)}
                onSessions={() => setShown(member)}
                onConfirm={setConfirmation}
              />
            </Cell>
          </tr>
        ))}
      </Table>
      <EditMemberDialog member={edited} onClose={() => setEdited(null)} />
      <MemberSessionsDialog member={shown} onClose={() => setShown(null)} />
      <DangerDialog confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </>
  )
}
