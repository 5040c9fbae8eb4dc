/** What an admin can do with a person of the team. */
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import {
  changeMember,
  deleteMember,
  removeMemberSecondFactor,
  type TeamMember,
  teamKey,
} from '../../api/team.ts'
import { texts } from '../../texts.ts'
import type { Confirmation } from '../parts/danger-dialog.tsx'
import { useAction } from '../parts/use-action.ts'
import { useChange } from '../parts/use-change.ts'

const { team: words } = texts.settings

interface MemberMenuProps {
  readonly member: TeamMember
  readonly onEdit: () => void
  readonly onSessions: () => void
  readonly onConfirm: (confirmation: Confirmation) => void
}

export function MemberMenu({ member, onEdit, onSessions, onConfirm }: MemberMenuProps) {
  const { id, username, blocked, secondFactor } = member
  const act = useAction(teamKey)
  const change = useChange(teamKey)
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon aria-label={texts.settings.more(username)}>
          <IconDots size={16} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>{words.edit}</Menu.Item>
        <Menu.Item onClick={onSessions}>{words.sessions}</Menu.Item>
        {blocked ? (
          <Menu.Item
            onClick={() => void act(() => changeMember(id, { blocked: false }), words.unblocked(username))}
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
                act: () => change(() => changeMember(id, { blocked: true })),
              })
            }
          >
            {words.block}
          </Menu.Item>
        )}
        {secondFactor && (
          <Menu.Item
            onClick={() =>
              onConfirm({
                title: words.removeSecondFactorTitle(username),
                text: words.removeSecondFactorText,
                label: words.remove,
                act: () => change(() => removeMemberSecondFactor(id)),
              })
            }
          >
            {words.removeSecondFactor}
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
              act: () => change(() => deleteMember(id)),
            })
          }
        >
          {words.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
