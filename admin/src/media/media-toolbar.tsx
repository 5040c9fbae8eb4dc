/** The tools above the files: search, filters, sort and view. */
import { SegmentedControl, Select, Switch } from '@mantine/core'
import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import screen from '../parts/screen.module.css'
import { useMe } from '../shell/me.tsx'
import { mediaTexts } from '../texts/media.ts'
import { FileSearch } from './file-search.tsx'
import styles from './media.module.css'
import { DATES, KINDS, type MediaSearch, SIZES, SORTS } from './media-search.ts'

interface MediaToolbarProps {
  readonly search: MediaSearch
  readonly onChange: (change: Partial<Record<keyof MediaSearch, unknown>>) => void
}

export function MediaToolbar({ search, onChange }: MediaToolbarProps) {
  const { permissions } = useMe()
  const media = mediaTexts
  return (
    <div className={screen.toolbar}>
      <FileSearch value={search.q ?? ''} onChange={(q) => onChange({ q: q === '' ? undefined : q })} />
      <Select
        className={styles.filter}
        data={KINDS.map((value) => ({ value, label: media.kinds[value] }))}
        value={search.kind ?? null}
        onChange={(kind) => onChange({ kind: kind ?? undefined })}
        placeholder={media.kind}
        aria-label={media.kind}
        clearable
      />
      <Select
        className={styles.filter}
        data={SIZES.map((value) => ({ value, label: media.sizes[value] }))}
        value={search.size ?? null}
        onChange={(size) => onChange({ size: size ?? undefined })}
        placeholder={media.size}
        aria-label={media.size}
        clearable
      />
      <Select
        className={styles.filter}
        data={DATES.map((value) => ({ value, label: media.dates[value] }))}
        value={search.date ?? null}
        onChange={(date) => onChange({ date: date ?? undefined })}
        placeholder={media.date}
        aria-label={media.date}
        clearable
      />
      {permissions.upload.delete && (
        <Switch
          label={media.unused}
          checked={search.unused === true}
          onChange={(event) => onChange({ unused: event.currentTarget.checked || undefined })}
        />
      )}
      <span className={styles.spacer} />
      <Select
        className={styles.filter}
        data={SORTS.map((value) => ({ value, label: media.sorts[value] }))}
        value={search.sort ?? 'id:desc'}
        onChange={(sort) => onChange({ sort: sort ?? undefined })}
        aria-label={media.sort}
        allowDeselect={false}
      />
      <SegmentedControl
        aria-label={media.view}
        value={search.view ?? 'grid'}
        onChange={(view) => onChange({ view: view === 'list' ? 'list' : undefined })}
        data={[
          { value: 'grid', label: <ViewLabel Icon={IconLayoutGrid} label={media.grid} /> },
          { value: 'list', label: <ViewLabel Icon={IconList} label={media.list} /> },
        ]}
      />
    </div>
  )
}

function ViewLabel({ Icon, label }: { readonly Icon: typeof IconList; readonly label: string }) {
  return (
    <span className={styles.viewLabel}>
      <Icon size={16} stroke={1.5} aria-hidden />
      <span className="visually-hidden">{label}</span>
    </span>
  )
}
