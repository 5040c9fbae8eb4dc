/** The permissions on one content-type: which documents and attributes each action covers. */
import { Button, Drawer, Group } from '@mantine/core'
import { useState } from 'react'
import type { Permission } from '../../../api/settings/roles.ts'
import { settingsTexts } from '../../../texts/settings/settings.ts'
import { texts } from '../../../texts.ts'
import { cellOf, grant, type Restriction, restrict, revoke } from '../permissions/permission-cells.ts'
import type { PermissionType } from '../permissions/permission-types.ts'
import { ActionConditions } from './action-conditions.tsx'
import styles from './conditions.module.css'

const { roles: words } = settingsTexts

interface ConditionsDrawerProps {
  readonly type: PermissionType | null
  readonly list: readonly Permission[]
  /** Whether rules can refer to the user; tokens have none. */
  readonly hasUser: boolean
  /** Whether the content-type has permissions of its own that can be removed. */
  readonly canUseAnyType: boolean
  readonly onApply: (uid: string, list: readonly Permission[] | null) => void
  readonly onClose: () => void
}

export function ConditionsDrawer({ type, onClose, ...rest }: ConditionsDrawerProps) {
  return (
    <Drawer
      opened={type !== null}
      onClose={onClose}
      position="right"
      size={640}
      title={words.conditionsOf(type?.label ?? '')}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {type && <Conditions type={type} onClose={onClose} {...rest} />}
    </Drawer>
  )
}

type ConditionsProps = ConditionsDrawerProps & { readonly type: PermissionType }

function Conditions({ type, list: initial, hasUser, canUseAnyType, onApply, onClose }: ConditionsProps) {
  const [list, setList] = useState(initial)
  /** The actions whose conditions are incomplete or refused by the server. */
  const [invalid, setInvalid] = useState<ReadonlySet<string>>(new Set())
  const markInvalid = (action: string, isInvalid: boolean) =>
    setInvalid((before) => {
      if (before.has(action) === isInvalid) return before
      const next = new Set(before)
      if (isInvalid) next.add(action)
      else next.delete(action)
      return next
    })
  const change = (action: string, to: Restriction | 'all' | 'none') =>
    setList((before) => {
      if (to === 'all') return grant(before, action)
      return to === 'none' ? revoke(before, action) : restrict(before, action, to)
    })
  return (
    <>
      <ul className={styles.actions}>
        {type.actions.map((action) => (
          <ActionConditions
            key={action}
            type={type}
            action={action}
            cell={cellOf(list, action)}
            hasUser={hasUser}
            onChange={(to) => change(action, to)}
            onInvalid={(isInvalid) => markInvalid(action, isInvalid)}
          />
        ))}
      </ul>
      <Group justify="flex-end" className={styles.footer}>
        {canUseAnyType && (
          <Button
            variant="subtle"
            color="gray"
            mr="auto"
            onClick={() => {
              onApply(type.uid, null)
              onClose()
            }}
          >
            {words.useAnyType}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button
          disabled={invalid.size > 0}
          onClick={() => {
            onApply(type.uid, list)
            onClose()
          }}
        >
          {words.apply}
        </Button>
      </Group>
    </>
  )
}
