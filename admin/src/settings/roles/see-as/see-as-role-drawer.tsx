/** What a role sees of a content-type: the response of the content API to a caller with that role. */
import { Drawer, SegmentedControl, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, messageOf } from '../../../api/request.ts'
import { roleUsersQuery } from '../../../api/settings/end-users.ts'
import { type RoleWithPermissions, readAsRoleQuery } from '../../../api/settings/roles.ts'
import type { ContentTypeView } from '../../../api/types.ts'
import { useMe } from '../../../shell/me.tsx'
import { Loading } from '../../../shell/states.tsx'
import { settingsTexts } from '../../../texts/settings/settings.ts'
import { texts } from '../../../texts.ts'
import styles from './see-as-role.module.css'
import { SeenDocuments } from './seen-documents.tsx'

const { roles: words } = settingsTexts

interface SeeAsRoleDrawerProps {
  readonly role: RoleWithPermissions
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function SeeAsRoleDrawer({ role, isOpen, onClose }: SeeAsRoleDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={820}
      title={words.seeAsTitle(role.name)}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {isOpen && <View role={role} />}
    </Drawer>
  )
}

function View({ role }: { readonly role: RoleWithPermissions }) {
  const { contentTypes } = useMe()
  const types = contentTypes.filter(({ uid }) => uid.startsWith('api::'))
  const [path, setPath] = useState(types[0]?.path ?? '')
  const [user, setUser] = useState<string | null>(null)
  const [status, setStatus] = useState<'draft' | 'published'>('published')
  const { data: users = [] } = useQuery(roleUsersQuery(role))
  const type = types.find((each) => each.path === path)
  return (
    <>
      <p className={styles.text}>{words.seeAsText}</p>
      <div className={styles.choices}>
        <Select
          label={words.contentType}
          searchable
          data={types.map((each) => ({ value: each.path, label: each.view.label }))}
          value={path}
          onChange={(next) => next !== null && setPath(next)}
          allowDeselect={false}
        />
        {users.length > 0 && (
          <Select
            label={words.seeAsUser}
            placeholder={words.nobody}
            clearable
            searchable
            data={users.map(({ id, username }) => ({ value: String(id), label: username }))}
            value={user}
            onChange={setUser}
          />
        )}
        {type?.draftAndPublish && (
          <SegmentedControl
            data={[
              { value: 'published', label: words.published },
              { value: 'draft', label: words.drafts },
            ]}
            value={status}
            onChange={(next) => setStatus(next === 'draft' ? 'draft' : 'published')}
          />
        )}
      </div>
      {type && (
        <Seen
          role={role.type}
          type={type}
          user={user === null ? null : Number(user)}
          status={type.draftAndPublish ? status : 'published'}
        />
      )}
    </>
  )
}

interface SeenProps {
  readonly role: string
  readonly type: ContentTypeView
  readonly user: number | null
  readonly status: 'draft' | 'published'
}

function Seen({ role, type, user, status }: SeenProps) {
  const { data, error } = useQuery(readAsRoleQuery({ role, path: type.path, user, status }))
  if (error) {
    const code = error instanceof ApiError ? error.status : 0
    const message =
      code === 403
        ? words.seesNotPermitted
        : code === 404 && type.kind === 'single'
          ? words.seesEmpty
          : messageOf(error)
    return <p className={styles.message}>{message}</p>
  }
  if (!data) return <Loading />
  const documents = [data.data].flat()
  if (documents.length === 0) return <p className={styles.message}>{words.seesNothing}</p>
  return (
    <>
      <p className={styles.count}>
        {words.sees(documents.length, data.meta.pagination?.total ?? documents.length)}
      </p>
      <SeenDocuments type={type} documents={documents} />
    </>
  )
}
