/** The permissions of a role, changed in the matrix and saved together. */
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '../../api/request.ts'
import {
  changeRole,
  type PermissionChanges,
  type RoleWithPermissions,
  rolesQuery,
} from '../../api/settings/roles.ts'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { withChanges } from './permissions/permission-cells.ts'
import { PermissionEditor } from './permissions/permission-editor.tsx'
import { usePermissionTypes } from './permissions/use-permission-types.ts'
import styles from './role-page.module.css'

const { roles: words } = settingsTexts

export function RolePermissions({ role }: { readonly role: RoleWithPermissions }) {
  const queryClient = useQueryClient()
  const types = usePermissionTypes()
  const [changes, setChanges] = useState<PermissionChanges>({})
  const count = Object.keys(changes).length
  useBlocker({
    shouldBlockFn: () => count > 0 && !window.confirm(words.leaveTitle),
    enableBeforeUnload: count > 0,
  })
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => changeRole(role.type, { permissions: changes }),
    onSuccess: async ({ meta }) => {
      await queryClient.invalidateQueries({ queryKey: rolesQuery.queryKey })
      setChanges({})
      notifications.show({
        message: meta.untilRestart.length > 0 ? words.untilRestart : settingsTexts.saved,
        autoClose: meta.untilRestart.length > 0 ? 8_000 : 2_500,
      })
    },
  })
  const isConfigured = types.all.some(({ uid }) => role.configured.includes(uid))
  return (
    <>
      {isConfigured && <p className={styles.note}>{words.configuredNote}</p>}
      <p className={styles.legend}>{words.legend}</p>
      <PermissionEditor
        types={types}
        permissions={withChanges(role.permissions, changes)}
        configured={role.configured}
        hasUser={role.type !== 'public'}
        onChange={(uid, list) => setChanges((before) => ({ ...before, [uid]: list }))}
      />
      {error && (
        <p className={styles.error} role="alert">
          {messageOf(error)}
        </p>
      )}
      {count > 0 && (
        <div className={styles.bar}>
          <span className={styles.changed}>{words.changed(count)}</span>
          <Button variant="default" onClick={() => setChanges({})}>
            {words.discard}
          </Button>
          <Button loading={isPending} onClick={() => mutate()}>
            {words.save}
          </Button>
        </div>
      )}
    </>
  )
}
