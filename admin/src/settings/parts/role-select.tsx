/** The roles that someone can have, in a form. */
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type RoleWithPermissions, rolesQuery } from '../../api/settings/roles.ts'
import { settingsTexts } from '../../texts/settings/settings.ts'

interface RoleSelectProps {
  readonly initial: string | null
  readonly offers: (role: RoleWithPermissions) => boolean
  readonly description?: string
}

export const isTeamRole = ({ access }: RoleWithPermissions) => access !== null

export function RoleSelect({ initial, offers, description }: RoleSelectProps) {
  const { data = [] } = useQuery(rolesQuery)
  // A value that the Select keeps itself would stay unnamed when the roles arrive.
  const [role, setRole] = useState(initial)
  const offered = data.filter(offers)
  return (
    <Select
      name="role"
      label={settingsTexts.role}
      description={description}
      data={offered.map(({ type, name }) => ({ value: type, label: name }))}
      renderOption={({ option }) => (
        <div>
          {option.label}
          <div style={{ color: 'var(--muted)', fontSize: 12 }}>
            {offered.find(({ type }) => type === option.value)?.description}
          </div>
        </div>
      )}
      value={role}
      onChange={setRole}
      allowDeselect={false}
    />
  )
}
