/** The list of a content-type: search, filters, columns, and what can be done with several documents. */
import { Button, Select } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { countQuery, type ListParameters, listQuery } from '../../api/content/content.ts'
import type { ContentTypeView } from '../../api/types.ts'
import { filtersParameter } from '../../filters/filter.ts'
import screen from '../../parts/screen.module.css'
import { useMe } from '../../shell/me.tsx'
import { Loading, Message, ScreenError } from '../../shell/states.tsx'
import { texts } from '../../texts.ts'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { columnParameters, shownColumns } from './columns.ts'
import { FilterChips } from './filter-chips.tsx'
import styles from './list-screen.module.css'
import { type ListSearch, parseListSearch, STATUS_FILTERS } from './list-search.ts'
import { ListTable } from './list-table.tsx'
import { ListToolbar } from './list-toolbar.tsx'

const PAGE_SIZE = 50

export function ListScreen({ type }: { readonly type: ContentTypeView }) {
  const { locales, settings } = useMe()
  // The router keeps the parameters that are not valid.
  const given = useSearch({ from: '/signed-in/content/$type' })
  const search = useMemo(() => parseListSearch(given), [given])
  const navigate = useNavigate({ from: '/content/$type' })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [selectedIn, setSelectedIn] = useState(search)
  // A saved view and the back button show other documents, too.
  if (selectedIn !== search) {
    setSelectedIn(search)
    setSelected(new Set())
  }
  const locale = type.localized ? (search.locale ?? locales.default) : undefined
  const columns = useMemo(() => shownColumns(type, search.columns), [type, search.columns])
  const sort = search.sort ?? [type.view.defaultSort]
  const parameters: ListParameters = {
    ...columnParameters(type, columns),
    sort,
    ...(locale !== undefined && { locale }),
    ...(search.q !== undefined && { _q: search.q }),
    ...(search.filter && { filters: filtersParameter(search.filter) }),
    ...(search.status && { publicationFilter: STATUS_FILTERS[search.status] }),
  }
  const query = useInfiniteQuery({
    ...listQuery(type, parameters, Math.min(PAGE_SIZE, settings.maxPageSize)),
    placeholderData: (previous) => previous,
  })
  const documents = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data])
  const count = useQuery({
    ...countQuery(type, parameters),
    enabled: query.hasNextPage,
    placeholderData: (previous) => previous,
  })
  const total = query.hasNextPage || !query.data ? (count.data ?? undefined) : documents.length

  const update = (change: Partial<Record<keyof ListSearch, unknown>>) =>
    void navigate({ search: (current) => parseListSearch({ ...current, ...change }), replace: true })
  const createLink = {
    to: '/content/$type/$documentId',
    params: { type: type.path, documentId: 'new' },
  } as const
  useHotkeys([
    [
      'c',
      () =>
        type.actions.create &&
        void navigate({ ...createLink, search: locale === undefined ? {} : { locale } }),
    ],
  ])
  const isNarrowed = search.q !== undefined || search.filter !== undefined || search.status !== undefined

  return (
    <div className={screen.screen}>
      <header className={`${screen.header} ${styles.header}`}>
        <div className={screen.heading}>
          <h1 className={screen.title}>{type.view.label}</h1>
          <span className={screen.count} role="status">
            {total !== undefined && texts.list.count(total)}
          </span>
        </div>
        {type.localized && (
          <Select
            className={styles.locale}
            data={[...locales.codes]}
            value={locale ?? null}
            onChange={(code) => update({ locale: code ?? undefined })}
            aria-label={texts.list.locale}
            searchable={locales.codes.length > 10}
            allowDeselect={false}
          />
        )}
        {type.actions.create && (
          <Button
            renderRoot={(props) => (
              <Link {...createLink} search={locale === undefined ? {} : { locale }} {...props} />
            )}
            leftSection={<IconPlus size={16} stroke={1.75} />}
            aria-label={texts.list.create(type.displayName)}
            classNames={{ root: styles.create ?? '', section: styles.createIcon ?? '' }}
          >
            <span className={styles.createWord}>{texts.list.create(type.displayName)}</span>
          </Button>
        )}
      </header>
      <ListToolbar type={type} search={search} columns={columns} onChange={update} />
      <FilterChips type={type} search={search} onChange={update} />
      {query.error && !query.data ? (
        <ScreenError error={query.error} reset={() => void query.refetch()} />
      ) : query.isPending ? (
        <Loading />
      ) : documents.length === 0 ? (
        <Message title={isNarrowed ? texts.list.noMatch : texts.list.empty(type.view.label)}>
          {isNarrowed ? texts.list.noMatchHint : type.actions.create && texts.list.emptyHint}
        </Message>
      ) : (
        <ListTable
          type={type}
          columns={columns}
          documents={documents}
          total={total}
          sort={sort}
          onSort={(next) => update({ sort: next })}
          selected={selected}
          onSelect={setSelected}
          locale={locale}
          hasMore={query.hasNextPage}
          isLoadingMore={query.isFetchingNextPage}
          onMore={() => void query.fetchNextPage()}
        />
      )}
      {selected.size > 0 && (
        <BulkBar
          type={type}
          documentIds={[...selected]}
          locale={locale}
          titles={
            new Map(
              documents.map((document) => [document.documentId, String(document[type.view.mainField] ?? '')]),
            )
          }
          onDone={(failed) => setSelected(new Set(failed))}
        />
      )}
    </div>
  )
}
