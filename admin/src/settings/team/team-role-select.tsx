/** The roles that people of the team can have, in a form. */
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { rolesQuery } from '../../api/settings/roles.ts'
import { settingsTexts } from '../../texts/settings/settings.ts'

export function TeamRoleSelect({ initial }: { readonly initial: string }) {
  const { data: roles } = useQuery(rolesQuery)
  if (!roles) return null
  const ofTeam = roles.filter(({ access }) => access !== null)
  return (
    <Select
      name="role"
      label={settingsTexts.role}
      data={ofTeam.map(({ type, name }) => ({ value: type, label: name }))}
      renderOption={({ option }) => (
        <div>
          {option.label}
          <div style={{ color: 'var(--muted)', fontSize: 12 }}>
            {ofTeam.find(({ type }) => type === option.value)?.description}
          </div>
        </div>
      )}
      defaultValue={initial}
      allowDeselect={false}
    />
  )
}
