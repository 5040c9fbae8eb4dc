/** A page of end users, each with a menu. */
import { useState } from 'react'
import { changeEndUser, deleteEndUser, type EndUser, endUsersKey } from '../../api/settings/end-users.ts'
import { Cell, Table } from '../../parts/table.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { AccountMenu } from '../parts/account-menu.tsx'
import { type Confirmation, DangerDialog } from '../parts/danger-dialog.tsx'
import styles from '../parts/parts.module.css'

const { users: words } = settingsTexts

interface UserTableProps {
  readonly users: readonly EndUser[]
  readonly onEdit: (user: EndUser) => void
}

export function UserTable({ users, onEdit }: UserTableProps) {
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null)
  return (
    <>
      <Table
        label={words.title}
        columns={[
          { label: words.user },
          { label: words.role },
          { label: words.created, isSecondary: true },
          { label: '' },
        ]}
      >
        {users.map((user) => (
          <tr key={user.id}>
            <td>
              <div className={styles.name}>{user.username}</div>
              <div className={styles.small}>{user.email}</div>
            </td>
            <td>
              {user.role?.name ?? <span className={styles.muted}>{words.noRole}</span>}
              {user.blocked && <div className={styles.warning}>{words.blocked}</div>}
              {!user.confirmed && <div className={styles.small}>{words.unconfirmed}</div>}
            </td>
            <Cell isSecondary>
              <TimeAgo at={user.createdAt} />
            </Cell>
            <Cell isShort>
              <AccountMenu
                username={user.username}
                isBlocked={user.blocked}
                words={words}
                changed={endUsersKey}
                onEdit={() => onEdit(user)}
                onConfirm={setConfirmation}
                setBlocked={(isBlocked) => changeEndUser(user.id, { blocked: isBlocked })}
                remove={() => deleteEndUser(user.id)}
              />
            </Cell>
          </tr>
        ))}
      </Table>
      <DangerDialog confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </>
  )
}
