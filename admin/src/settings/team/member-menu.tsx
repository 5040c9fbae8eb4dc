/** What an admin can do with a person of the team. */
import { Menu } from '@mantine/core'
import {
  changeMember,
  deleteMember,
  removeMemberSecondFactor,
  type TeamMember,
  teamKey,
} from '../../api/settings/team.ts'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { AccountMenu } from '../parts/account-menu.tsx'
import type { Confirmation } from '../parts/danger-dialog.tsx'
import { useChange } from '../parts/use-change.ts'

const { team: words } = settingsTexts

interface MemberMenuProps {
  readonly member: TeamMember
  readonly onEdit: () => void
  readonly onSessions: () => void
  readonly onConfirm: (confirmation: Confirmation) => void
}

export function MemberMenu({ member, onEdit, onSessions, onConfirm }: MemberMenuProps) {
  const { id, username, blocked, secondFactor } = member
  const change = useChange(teamKey)
  return (
    <AccountMenu
      username={username}
      isBlocked={blocked}
      words={words}
      changed={teamKey}
      onEdit={onEdit}
      onConfirm={onConfirm}
      setBlocked={(isBlocked) => changeMember(id, { blocked: isBlocked })}
      remove={() => deleteMember(id)}
    >
      <Menu.Item onClick={onSessions}>{words.sessions}</Menu.Item>
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
    </AccountMenu>
  )
}
