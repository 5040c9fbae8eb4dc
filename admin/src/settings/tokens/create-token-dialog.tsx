/** Creates a token: its name, what it may do, and how long it is valid. */
import { Radio, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Permissions } from '../../api/settings/roles.ts'
import {
  type CreatedToken,
  createToken,
  TOKEN_KINDS,
  type TokenKind,
  tokensQuery,
} from '../../api/settings/tokens.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { useChange } from '../parts/use-change.ts'
import { withChanges } from '../roles/permissions/permission-cells.ts'
import { PermissionEditor } from '../roles/permissions/permission-editor.tsx'
import { usePermissionTypes } from '../roles/permissions/use-permission-types.ts'
import { expiryOf, LIFETIMES } from './lifetimes.ts'
import styles from './tokens.module.css'

const { tokens: words } = settingsTexts

interface CreateTokenDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onCreated: (token: CreatedToken) => void
}

export function CreateTokenDialog({ isOpen, onClose, onCreated }: CreateTokenDialogProps) {
  const change = useChange(tokensQuery.queryKey)
  const [kind, setKind] = useState<TokenKind>('read-only')
  const [permissions, setPermissions] = useState<Permissions>({})
  const close = () => {
    setKind('read-only')
    setPermissions({})
    onClose()
  }
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title={words.createTitle}
      submit={words.createSubmit}
      {...(kind === 'custom' && { size: '960px' })}
      onSubmit={async (field) => {
        const isEmpty = Object.values(permissions).every((list) => list.length === 0)
        if (kind === 'custom' && isEmpty) throw new Error(words.noPermissions)
        const token = await change(() =>
          createToken({
            name: field('name'),
            type: kind,
            ...(kind === 'custom' && { permissions }),
            expiresAt: expiryOf(field('lifetime')),
          }),
        )
        onCreated(token)
      }}
    >
      <TextInput
        name="name"
        label={words.name}
        description={words.nameHint}
        autoComplete="off"
        required
        withAsterisk={false}
        data-autofocus
      />
      <Radio.Group
        label={words.kind}
        value={kind}
        onChange={(next) => setKind(TOKEN_KINDS.find((each) => each === next) ?? kind)}
      >
        <div className={styles.kinds}>
          {TOKEN_KINDS.map((each) => (
            <Radio key={each} value={each} label={words.kinds[each]} description={words.kindTexts[each]} />
          ))}
        </div>
      </Radio.Group>
      {kind === 'custom' && <CustomPermissions permissions={permissions} onChange={setPermissions} />}
      <Select
        name="lifetime"
        label={words.lifetime}
        data={LIFETIMES}
        defaultValue="90"
        allowDeselect={false}
      />
    </FormDialog>
  )
}

interface CustomPermissionsProps {
  readonly permissions: Permissions
  readonly onChange: (permissions: Permissions) => void
}

function CustomPermissions({ permissions, onChange }: CustomPermissionsProps) {
  const types = usePermissionTypes()
  return (
    <div className={styles.permissions}>
      <PermissionEditor
        types={types}
        permissions={permissions}
        configured={[]}
        hasUser={false}
        onChange={(uid, list) => onChange(withChanges(permissions, { [uid]: list }))}
      />
    </div>
  )
}
