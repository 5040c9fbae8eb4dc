/** The start page: one's own work, what waits to be published, what is planned, and what others changed. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { homeQuery } from '../../api/content/home.ts'
import { homeTexts } from '../../texts/home.ts'
import { useMe } from '../me.tsx'
import { Loading, ScreenError } from '../states.tsx'
import { FirstSteps } from './first-steps.tsx'
import styles from './home.module.css'
import { Notices } from './notices.tsx'
import { PlannedList } from './planned-list.tsx'
import { RecentList } from './recent-list.tsx'

export function HomeScreen() {
  const { user, contentTypes, features } = useMe()
  const { data, error, refetch } = useQuery(homeQuery)
  if (error && !data) return <ScreenError error={error} reset={() => void refetch()} />
  if (!data) return <Loading />
  const hasDrafts = contentTypes.some(({ draftAndPublish }) => draftAndPublish)
  const isUntouched = data.isNew && data.mine.length + data.others.length + data.planned.length === 0
  return (
    <div className={styles.screen}>
      <h1 className={styles.greeting}>{homeTexts.greeting(user.username)}</h1>
      {features.notices && <Notices />}
      {data.isNew && <FirstSteps />}
      {!isUntouched && (
        <div className={styles.columns}>
          <div className={styles.column}>
            <Section title={homeTexts.mine}>
              <RecentList items={data.mine} empty={homeTexts.nothingMine} isOwn />
            </Section>
            <Section title={homeTexts.others}>
              <RecentList items={data.others} empty={homeTexts.nothingOthers} />
            </Section>
          </div>
          {hasDrafts && (
            <div className={styles.column}>
              <Section title={homeTexts.waiting}>
                <RecentList items={data.waiting} empty={homeTexts.nothingWaiting} />
              </Section>
              {(features.schedules || features.releases) && (
                <Section
                  title={homeTexts.planned}
                  link={
                    features.releases && (
                      <Link to="/releases" search={{ view: 'calendar' }}>
                        {homeTexts.calendar}
                      </Link>
                    )
                  }
                >
                  <PlannedList items={data.planned} />
                </Section>
              )}
            </div>
          )}
        </div>
      )}
    </div>
  )
}

interface SectionProps {
  readonly title: string
  readonly link?: React.ReactNode
  readonly children: React.ReactNode
}

const Section = ({ title, link, children }: SectionProps) => (
  <section>
    <header className={styles.header}>
      <h2 className={styles.title}>{title}</h2>
      {link}
    </header>
    {children}
  </section>
)
