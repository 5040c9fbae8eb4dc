/** Renames and deletes a role. */
import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { changeRole, deleteRole, type RoleWithPermissions, rolesQuery } from '../../api/settings/roles.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { DangerDialog } from '../parts/danger-dialog.tsx'
import { useChange } from '../parts/use-change.ts'

const { roles: words } = settingsTexts

interface RoleButtonProps {
  readonly role: RoleWithPermissions
}

export function RenameRoleButton({ role }: RoleButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const change = useChange(rolesQuery.queryKey)
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {words.rename}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={words.renameTitle(role.name)}
        submit={words.save}
        onSubmit={(field) =>
          change(() =>
            changeRole(role.type, { name: field('name'), description: field('description').trim() || null }),
          )
        }
      >
        <TextInput
          name="name"
          label={words.name}
          defaultValue={role.name}
          required
          withAsterisk={false}
          data-autofocus
        />
        <TextInput name="description" label={words.description} defaultValue={role.description ?? ''} />
      </FormDialog>
    </>
  )
}

export function DeleteRoleButton({ role }: RoleButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const navigate = useNavigate()
  const change = useChange(rolesQuery.queryKey)
  return (
    <>
      <Button variant="default" c="var(--danger)" onClick={() => setIsOpen(true)}>
        {words.delete}
      </Button>
      <DangerDialog
        confirmation={
          isOpen
            ? {
                title: words.deleteTitle(role.name),
                text: words.deleteText(role.users),
                label: words.delete,
                act: async () => {
                  await deleteRole(role.type)
                  await navigate({ to: '/settings/roles' })
                  await change(async () => null)
                },
              }
            : null
        }
        onClose={() => setIsOpen(false)}
      />
    </>
  )
}
