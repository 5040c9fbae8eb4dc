/** Permissions on every content-type, of a role or a token: the matrix, and the conditions of one type. */
import { useState } from 'react'
import type { Permission, Permissions } from '../../../api/settings/roles.ts'
import { settingsTexts } from '../../../texts/settings/settings.ts'
import { ConditionsDrawer } from '../conditions/conditions-drawer.tsx'
import { ANY_TYPE, hasOwnPermissions, permissionsFor } from './permission-cells.ts'
import { PermissionMatrix } from './permission-matrix.tsx'
import type { PermissionType } from './permission-types.ts'
import type { PermissionTypes } from './use-permission-types.ts'

const { roles: words } = settingsTexts

interface PermissionEditorProps {
  readonly types: PermissionTypes
  readonly permissions: Permissions
  readonly configured: readonly string[]
  readonly hasUser: boolean
  /** Null: as all other content-types. */
  readonly onChange: (uid: string, list: readonly Permission[] | null) => void
}

export function PermissionEditor({
  types,
  permissions,
  configured,
  hasUser,
  onChange,
}: PermissionEditorProps) {
  const [open, setOpen] = useState<PermissionType | null>(null)
  const common = { permissions, configured, onChange, onOpen: setOpen }
  return (
    <>
      <PermissionMatrix title={words.groups.content} types={types.content} {...common} />
      <PermissionMatrix title={words.groups.system} types={types.builtIn} {...common} />
      <ConditionsDrawer
        type={open}
        list={open ? permissionsFor(permissions, open.uid) : []}
        hasUser={hasUser}
        canUseAnyType={
          open !== null &&
          open.uid !== ANY_TYPE &&
          open.uid.startsWith('api::') &&
          hasOwnPermissions(permissions, open.uid) &&
          hasOwnPermissions(permissions, ANY_TYPE)
        }
        onApply={onChange}
        onClose={() => setOpen(null)}
      />
    </>
  )
}
