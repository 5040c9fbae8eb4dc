/** A page of end users, each with a menu. */
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { changeEndUser, deleteEndUser, type EndUser, endUsersKey } from '../../api/end-users.ts'
import { Cell, Table } from '../../parts/table.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { texts } from '../../texts.ts'
import { type Confirmation, DangerDialog } from '../parts/danger-dialog.tsx'
import styles from '../parts/parts.module.css'
import { useAction } from '../parts/use-action.ts'
import { useChange } from '../parts/use-change.ts'

const { users: words } = texts.settings

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
              <UserMenu user={user} onEdit={() => onEdit(user)} onConfirm={setConfirmation} />
            </Cell>
          </tr>
        ))}
      </Table>
      <DangerDialog confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </>
  )
}

interface UserMenuProps {
  readonly user: EndUser
  readonly onEdit: () => void
  readonly onConfirm: (confirmation: Confirmation) => void
}

function UserMenu({ user: { id, username, blocked }, onEdit, onConfirm }: UserMenuProps) {
  const act = useAction(endUsersKey)
  const change = useChange(endUsersKey)
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon aria-label={texts.settings.more(username)}>
          <IconDots size={16} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>{words.edit}</Menu.Item>
        {blocked ? (
          <Menu.Item
            onClick={() => void act(() => changeEndUser(id, { blocked: false }), words.unblocked(username))}
          >
            {words.unblock}
          </Menu.Item>
        ) : (
          <Menu.Item
            onClick={() =>
              onConfirm({
                title: words.blockTitle(username),
                text: words.blockText,
                label: words.block,
                act: () => change(() => changeEndUser(id, { blocked: true })),
              })
            }
          >
            {words.block}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item
          color="var(--danger)"
          onClick={() =>
            onConfirm({
              title: words.deleteTitle(username),
              text: words.deleteText,
              label: words.delete,
              act: () => change(() => deleteEndUser(id)),
            })
          }
        >
          {words.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
