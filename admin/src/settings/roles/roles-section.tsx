/** The roles of the project. */
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createRole, type RoleWithPermissions, rolesQuery } from '../../api/settings/roles.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Cell, Table } from '../../parts/table.tsx'
import { Loading, ScreenError } from '../../shell/states.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import styles from '../parts/parts.module.css'
import { useChange } from '../parts/use-change.ts'
import { SectionPage } from '../section-page.tsx'

const { roles: words } = settingsTexts

export function RolesSection() {
  const { data: roles, error, refetch } = useQuery(rolesQuery)
  const [isCreating, setIsCreating] = useState(false)
  if (error) return <ScreenError error={error} reset={() => void refetch()} />
  if (!roles) return <Loading />
  return (
    <SectionPage
      title={words.title}
      text={words.text}
      action={<Button onClick={() => setIsCreating(true)}>{words.create}</Button>}
    >
      <Table
        label={words.title}
        columns={[
          { label: words.role },
          { label: words.signsInTo, isSecondary: true },
          { label: words.users },
        ]}
      >
        {inOrder(roles).map((role) => (
          <tr key={role.type}>
            <td>
              <Link to="/settings/roles/$role" params={{ role: role.type }} className={styles.name}>
                {role.name}
              </Link>
              <div className={styles.small}>{role.description}</div>
            </td>
            <Cell isSecondary>{accessText(role)}</Cell>
            <td>{role.users.toLocaleString()}</td>
          </tr>
        ))}
      </Table>
      <CreateRoleDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </SectionPage>
  )
}

/** The team first, then the roles of the project, then those that every server has for its callers. */
const RANKS: Readonly<Record<string, number>> = {
  admin: 0,
  editor: 1,
  author: 2,
  authenticated: 4,
  public: 5,
}
const inOrder = (roles: readonly RoleWithPermissions[]) =>
  roles.toSorted((a, b) => (RANKS[a.type] ?? 3) - (RANKS[b.type] ?? 3) || a.name.localeCompare(b.name))

const accessText = ({ type, access }: RoleWithPermissions) =>
  type === 'public' ? words.visitors : words.access[access ?? 'api']

function CreateRoleDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const navigate = useNavigate()
  const change = useChange(rolesQuery.queryKey)
  const [name, setName] = useState('')
  const [type, setType] = useState<string | null>(null)
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.createTitle}
      submit={words.createSubmit}
      onSubmit={async (field) => {
        const description = field('description').trim()
        await change(() =>
          createRole({
            type: field('type'),
            name: field('name'),
            description: description === '' ? null : description,
          }),
        )
        setName('')
        setType(null)
        await navigate({ to: '/settings/roles/$role', params: { role: field('type') } })
      }}
    >
      <TextInput
        name="name"
        label={words.name}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        required
        withAsterisk={false}
        data-autofocus
      />
      <TextInput
        name="type"
        label={words.type}
        description={words.typeHint}
        value={type ?? identifierOf(name)}
        onChange={({ currentTarget }) => setType(currentTarget.value)}
        required
        withAsterisk={false}
      />
      <TextInput name="description" label={words.description} />
    </FormDialog>
  )
}

/** Such as `content-lead` for "Content lead". */
const identifierOf = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[-\d]+|-+$/g, '')
    .slice(0, 50)
