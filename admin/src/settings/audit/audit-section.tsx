/** The audit log: filters, records, and its export. */
import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type AuditFilter, auditExportUrl, auditQuery } from '../../api/settings/audit.ts'
import { useMe } from '../../shell/me.tsx'
import { Loading, Message, NotFound, ScreenError } from '../../shell/states.tsx'
import { auditTexts } from '../../texts/settings/audit.ts'
import { SectionPage } from '../section-page.tsx'
import styles from './audit.module.css'
import { AuditFilters } from './audit-filters.tsx'
import { AuditItem } from './audit-item.tsx'
import { parseAuditSearch } from './audit-search.ts'

export function AuditSection() {
  const { features, permissions } = useMe()
  const filter = useSearch({ from: '/signed-in/settings/audit' })
  const navigate = useNavigate({ from: '/settings/audit' })
  if (!features.audit || !permissions.admin) return <NotFound />
  return (
    <SectionPage title={auditTexts.title} text={auditTexts.text} action={<ExportMenu filter={filter} />}>
      <AuditFilters
        filter={filter}
        onChange={(change) =>
          void navigate({ search: (current) => parseAuditSearch({ ...current, ...change }), replace: true })
        }
        onClear={() => void navigate({ search: {}, replace: true })}
      />
      <Records filter={filter} />
    </SectionPage>
  )
}

function ExportMenu({ filter }: { readonly filter: AuditFilter }) {
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} stroke={1.5} />}>
          {auditTexts.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={auditExportUrl(filter, 'csv')} download>
          {auditTexts.exportCsv}
        </Menu.Item>
        <Menu.Item component="a" href={auditExportUrl(filter, 'jsonl')} download>
          {auditTexts.exportJson}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function Records({ filter }: { readonly filter: AuditFilter }) {
  const query = useInfiniteQuery({ ...auditQuery(filter), placeholderData: (previous) => previous })
  if (query.error && !query.data)
    return <ScreenError error={query.error} reset={() => void query.refetch()} />
  if (!query.data) return <Loading />
  const records = query.data.pages.flatMap(({ data }) => data)
  if (records.length === 0) return <Message title={auditTexts.empty}>{auditTexts.emptyHint}</Message>
  return (
    <>
      <ol className={styles.records}>
        {records.map((record) => (
          <AuditItem key={record.seq} record={record} />
        ))}
      </ol>
      {query.hasNextPage && (
        <Button
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {auditTexts.showOlder}
        </Button>
      )}
    </>
  )
}
