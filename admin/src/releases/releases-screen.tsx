/** All releases, as a list or in a calendar with what else is scheduled. */
import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '../shell/me.tsx'
import { Loading, NotFound } from '../shell/states.tsx'
import { releaseTexts } from '../texts/releases.ts'
import { ReleaseList } from './release-list.tsx'
import { ReleaseNameDialog } from './release-name-dialog.tsx'
import styles from './releases.module.css'

const ReleaseCalendar = lazy(() =>
  import('./release-calendar.tsx').then((module) => ({ default: module.ReleaseCalendar })),
)

export function ReleasesScreen() {
  const { features } = useMe()
  const { view, month } = useSearch({ from: '/signed-in/releases' })
  const navigate = useNavigate({ from: '/releases' })
  const [isNaming, setIsNaming] = useState(false)
  if (!features.releases) return <NotFound />
  return (
    <div className={styles.screen}>
      <header className={styles.header}>
        <div className={styles.heading}>
          <h1 className={styles.title}>{releaseTexts.title}</h1>
          <p className={styles.text}>{releaseTexts.text}</p>
        </div>
        <SegmentedControl
          size="xs"
          aria-label={releaseTexts.view}
          data={[
            { value: 'list', label: releaseTexts.list },
            { value: 'calendar', label: releaseTexts.calendar },
          ]}
          value={view ?? 'list'}
          onChange={(value) =>
            void navigate({ search: value === 'calendar' ? { view: 'calendar' } : {}, replace: true })
          }
        />
        <Button leftSection={<IconPlus size={16} stroke={1.75} />} onClick={() => setIsNaming(true)}>
          {releaseTexts.create}
        </Button>
      </header>
      {view === 'calendar' ? (
        <Suspense fallback={<Loading />}>
          <ReleaseCalendar
            month={month}
            onMonth={(next) => void navigate({ search: { view: 'calendar', month: next }, replace: true })}
          />
        </Suspense>
      ) : (
        <ReleaseList onCreate={() => setIsNaming(true)} />
      )}
      <ReleaseNameDialog
        isOpen={isNaming}
        onClose={() => setIsNaming(false)}
        release={null}
        onSaved={(id) => void navigate({ to: '/releases/$id', params: { id: String(id) } })}
      />
    </div>
  )
}
