/** The people of the team, each with a menu. */
import { useState } from 'react'
import type { TeamMember } from '../../api/team.ts'
import { formatInstant, timeAgo } from '../../content/dates.ts'
import { useMe } from '../../shell/me.tsx'
import { texts } from '../../texts.ts'
import { type Confirmation, DangerDialog } from '../parts/danger-dialog.tsx'
import styles from '../parts/parts.module.css'
import { EditMemberDialog } from './edit-member-dialog.tsx'
import { MemberMenu } from './member-menu.tsx'
import { MemberSessionsDialog } from './member-sessions-dialog.tsx'

const { team: words } = texts.settings

export function MemberTable({ members }: { readonly members: readonly TeamMember[] }) {
  const { user } = useMe()
  const [edited, setEdited] = useState<TeamMember | null>(null)
  const [shown, setShown] = useState<TeamMember | null>(null)
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null)
  return (
    <>
      <div className={styles.scroller}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th>{words.person}</th>
              <th>{texts.settings.role}</th>
              <th className={styles.wide}>{words.secondFactor}</th>
              <th className={styles.wide}>{words.lastSeen}</th>
              <th>
                <span className="visually-hidden">{texts.settings.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
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
                <td className={styles.wide}>
                  {member.secondFactor ? words.on : <span className={styles.muted}>{words.off}</span>}
                </td>
                <td className={styles.wide}>
                  {member.lastSeenAt === null ? (
                    <span className={styles.muted}>{words.neverSeen}</span>
                  ) : (
                    <time dateTime={member.lastSeenAt} title={formatInstant(member.lastSeenAt)}>
                      {timeAgo(member.lastSeenAt)}
                    </time>
                  )}
                </td>
                <td>
                  <MemberMenu
                    member={member}
                    onEdit={() => setEdited(member)}
                    onSessions={() => setShown(member)}
                    onConfirm={setConfirmation}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <EditMemberDialog member={edited} onClose={() => setEdited(null)} />
      <MemberSessionsDialog member={shown} onClose={() => setShown(null)} />
      <DangerDialog confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </>
  )
}
