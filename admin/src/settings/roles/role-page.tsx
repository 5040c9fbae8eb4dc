/** One role: its permissions as a matrix, what they show, and the role itself. */
import { Button, Group } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { type RoleWithPermissions, rolesQuery } from '../../api/settings/roles.ts'
import { Loading, NotFound, ScreenError } from '../../shell/states.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { SectionPage } from '../section-page.tsx'
import { DeleteRoleButton, RenameRoleButton } from './role-buttons.tsx'
import styles from './role-page.module.css'
import { RolePermissions } from './role-permissions.tsx'
import { SeeAsRoleDrawer } from './see-as/see-as-role-drawer.tsx'

const { roles: words } = settingsTexts

export function RolePage() {
  const { role: type } = useParams({ from: '/signed-in/settings/roles/$role' })
  const { data: roles, error, refetch } = useQuery(rolesQuery)
  if (error) return <ScreenError error={error} reset={() => void refetch()} />
  if (!roles) return <Loading />
  const role = roles.find((each) => each.type === type)
  return role ? <Role key={type} role={role} /> : <NotFound />
}

function Role({ role }: { readonly role: RoleWithPermissions }) {
  const [isSeeing, setIsSeeing] = useState(false)
  return (
    <>
      <Link to="/settings/roles" className={styles.back}>
        <IconArrowLeft size={14} stroke={1.5} aria-hidden />
        {words.back}
      </Link>
      <SectionPage
        title={role.name}
        text={role.description}
        action={
          <Group gap={8}>
            <RenameRoleButton role={role} />
            {!role.builtIn && <DeleteRoleButton role={role} />}
            <Button variant="default" onClick={() => setIsSeeing(true)}>
              {words.seeAs}
            </Button>
          </Group>
        }
      >
        {role.type === 'admin' && <p className={styles.note}>{words.adminNote}</p>}
        {role.type === 'public' && <p className={styles.note}>{words.publicNote}</p>}
        <RolePermissions role={role} />
      </SectionPage>
      <SeeAsRoleDrawer role={role} isOpen={isSeeing} onClose={() => setIsSeeing(false)} />
    </>
  )
}
