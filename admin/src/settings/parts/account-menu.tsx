/** What an admin can do with an account, of the team or of an end user. */
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { settingsTexts } from '../../texts/settings/settings.ts'
import type { Confirmation } from './danger-dialog.tsx'
import { useAction } from './use-action.ts'
import { useChange } from './use-change.ts'

/** What differs between the team and end users. */
interface AccountTexts {
  readonly edit: string
  readonly block: string
  readonly blockTitle: (name: string) => string
  readonly blockText: string
  readonly unblock: string
  readonly unblocked: (name: string) => string
  readonly delete: string
  readonly deleteTitle: (name: string) => string
  readonly deleteText: string
}

interface AccountMenuProps {
  readonly username: string
  readonly isBlocked: boolean
  readonly words: AccountTexts
  /** What is read again after a change. */
  readonly changed: QueryKey
  readonly onEdit: () => void
  readonly onConfirm: (confirmation: Confirmation) => void
  readonly setBlocked: (isBlocked: boolean) => Promise<unknown>
  readonly remove: () => Promise<unknown>
  /** More items, after the one that edits. */
  readonly children?: ReactNode
}

export function AccountMenu(props: AccountMenuProps) {
  const { username, isBlocked, words, changed, onEdit, onConfirm, setBlocked, remove, children } = props
  const act = useAction(changed)
  const change = useChange(changed)
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon aria-label={settingsTexts.more(username)}>
          <IconDots size={16} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>{words.edit}</Menu.Item>
        {children}
        {isBlocked ? (
          <Menu.Item onClick={() => void act(() => setBlocked(false), words.unblocked(username))}>
            {words.unblock}
          </Menu.Item>
        ) : (
          <Menu.Item
            onClick={() =>
              onConfirm({
                title: words.blockTitle(username),
                text: words.blockText,
                label: words.block,
                act: () => change(() => setBlocked(true)),
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
              act: () => change(remove),
            })
          }
        >
          {words.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
