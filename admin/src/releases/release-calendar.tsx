/** A month with the releases and the single documents that are published or unpublished in it. */
import { ActionIcon, Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type DocumentSchedule, plannedQuery, type Release } from '../api/content/releases.ts'
import { DocumentLink } from '../content/document-link.tsx'
import { useMe } from '../shell/me.tsx'
import { ScreenError } from '../shell/states.tsx'
import { releaseTexts } from '../texts/releases.ts'
import { texts } from '../texts.ts'
import styles from './calendar.module.css'
import { addMonths, dayOf, type Month, monthOf, weeksOf } from './month.ts'

interface ReleaseCalendarProps {
  readonly month: Month | undefined
  readonly onMonth: (month: Month) => void
}

type Item =
  | { readonly kind: 'release'; readonly at: string; readonly release: Release }
  | { readonly kind: 'document'; readonly at: string; readonly schedule: DocumentSchedule }

const monthName = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' })
const weekdayName = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const dayName = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

export function ReleaseCalendar({ month: wanted, onMonth }: ReleaseCalendarProps) {
  const { features } = useMe()
  const today = new Date()
  const month = wanted ?? monthOf(today)
  const weeks = weeksOf(month)
  const [first, last] = [weeks[0]?.[0] ?? today, weeks.at(-1)?.[6] ?? today]
  const end = new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1)
  const { data, error, refetch } = useQuery(
    plannedQuery(first.toISOString(), end.toISOString(), features.schedules),
  )
  if (error && !data) return <ScreenError error={error} reset={() => void refetch()} />
  const items = Map.groupBy(itemsOf(data), ({ at }) => dayOf(new Date(at)))
  const shown = weeks.flat().find((day) => monthOf(day) === month) ?? today
  return (
    <section aria-label={releaseTexts.calendar}>
      <header className={styles.header}>
        <h2 className={styles.month} aria-live="polite">
          {monthName.format(shown)}
        </h2>
        <ActionIcon aria-label={releaseTexts.previous} onClick={() => onMonth(addMonths(month, -1))}>
          <IconChevronLeft size={18} stroke={1.5} />
        </ActionIcon>
        <Button size="xs" variant="default" onClick={() => onMonth(monthOf(today))}>
          {releaseTexts.today}
        </Button>
        <ActionIcon aria-label={releaseTexts.next} onClick={() => onMonth(addMonths(month, 1))}>
          <IconChevronRight size={18} stroke={1.5} />
        </ActionIcon>
      </header>
      <div className={styles.weekdays} aria-hidden>
        {weeks[0]?.map((day) => (
          <span key={day.getDay()}>{weekdayName.format(day)}</span>
        ))}
      </div>
      <ol className={styles.days}>
        {weeks.flat().map((day) => (
          <li
            key={dayOf(day)}
            className={styles.day}
            data-outside={monthOf(day) !== month}
            data-empty={!items.has(dayOf(day))}
            {...(dayOf(day) === dayOf(today) && { 'aria-current': 'date' })}
          >
            <time className={styles.date} dateTime={dayOf(day)}>
              <span aria-hidden>{day.getDate()}</span>
              <span className={styles.longDate}>{dayName.format(day)}</span>
            </time>
            <ul className={styles.items}>
              {(items.get(dayOf(day)) ?? []).map((item) => (
                <li key={item.kind === 'release' ? `release ${item.release.id}` : item.schedule.id}>
                  <ItemLink item={item} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {data && items.size === 0 && <p className={styles.nothing}>{releaseTexts.nothingInMonth}</p>}
    </section>
  )
}

function itemsOf(
  data:
    | { readonly releases: readonly Release[]; readonly schedules: readonly DocumentSchedule[] }
    | undefined,
): readonly Item[] {
  const releases = (data?.releases ?? []).flatMap((release): Item[] => {
    const at = release.publishAt ?? release.publishedAt
    return at === null ? [] : [{ kind: 'release', at, release }]
  })
  const schedules = (data?.schedules ?? []).map(
    (schedule): Item => ({ kind: 'document', at: schedule.runAt, schedule }),
  )
  return [...releases, ...schedules].toSorted((one, other) => one.at.localeCompare(other.at))
}

function ItemLink({ item }: { readonly item: Item }) {
  const at = <span className={styles.time}>{time.format(new Date(item.at))}</span>
  if (item.kind === 'release') {
    const { id, name, state } = item.release
    return (
      <Link
        to="/releases/$id"
        params={{ id: String(id) }}
        className={styles.item}
        data-state={state}
        title={`${name}: ${releaseTexts.states[state]}`}
      >
        {at}
        <b>{name}</b>
        <span className="visually-hidden">: {releaseTexts.states[state]}</span>
      </Link>
    )
  }
  const { type, documentId, locale, action, title } = item.schedule
  const name = title ?? texts.list.untitled
  return (
    <DocumentLink type={type} documentId={documentId} locale={locale} className={styles.item}>
      {at}
      {action === 'publish' ? releaseTexts.willPublish(name) : releaseTexts.willUnpublish(name)}
    </DocumentLink>
  )
}
