/** End users: found by name, address or role, a page at a time. */
import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type EndUser, endUsersQuery } from '../../api/settings/end-users.ts'
import { rolesQuery } from '../../api/settings/roles.ts'
import { Loading, Message, ScreenError } from '../../shell/states.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import styles from '../parts/parts.module.css'
import { SectionPage } from '../section-page.tsx'
import { UserDialog } from './user-dialog.tsx'
import { UserTable } from './user-table.tsx'

const { users: words } = settingsTexts

export function UsersSection() {
  const [term, setTerm] = useState('')
  const [searched] = useDebouncedValue(term.trim(), 200)
  const [role, setRole] = useState<string | null>(null)
  const [page, setPage] = useState(1)
  const [edited, setEdited] = useState<EndUser | 'new' | null>(null)
  const { data, error, refetch } = useQuery(endUsersQuery({ term: searched, role, page }))
  const { data: roles = [] } = useQuery(rolesQuery)
  if (error) return <ScreenError error={error} reset={() => void refetch()} />
  return (
    <SectionPage
      title={words.title}
      text={words.text}
      action={<Button onClick={() => setEdited('new')}>{words.create}</Button>}
    >
      <div className={styles.toolbar}>
        <TextInput
          w={280}
          aria-label={words.search}
          placeholder={words.search}
          leftSection={<IconSearch size={15} stroke={1.5} />}
          value={term}
          onChange={({ currentTarget }) => {
            setTerm(currentTarget.value)
            setPage(1)
          }}
        />
        <Select
          w={180}
          aria-label={words.role}
          placeholder={words.allRoles}
          clearable
          data={roles
            .filter(({ access }) => access === null)
            .map(({ type, name }) => ({ value: type, label: name }))}
          value={role}
          onChange={(next) => {
            setRole(next)
            setPage(1)
          }}
        />
        {data && <span className={styles.muted}>{words.count(data.meta.pagination.total)}</span>}
      </div>
      {!data ? (
        <Loading />
      ) : data.data.length > 0 ? (
        <UserTable users={data.data} onEdit={setEdited} />
      ) : searched === '' && role === null ? (
        <Message title={words.empty}>{words.emptyHint}</Message>
      ) : (
        <Message title={words.noMatch}>{words.noMatchHint}</Message>
      )}
      {data && data.meta.pagination.pageCount > 1 && (
        <Pages pagination={data.meta.pagination} onPage={setPage} />
      )}
      <UserDialog user={edited} onClose={() => setEdited(null)} />
    </SectionPage>
  )
}

interface PagesProps {
  readonly pagination: { readonly page: number; readonly pageCount: number }
  readonly onPage: (page: number) => void
}

function Pages({ pagination: { page, pageCount }, onPage }: PagesProps) {
  return (
    <div className={styles.pages}>
      <Button size="xs" variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {words.previous}
      </Button>
      <span className={styles.muted}>{words.page(page, pageCount)}</span>
      <Button size="xs" variant="default" disabled={page >= pageCount} onClick={() => onPage(page + 1)}>
        {words.next}
      </Button>
    </div>
  )
}
