/** The settings: a column of sections beside the one that is open. */
import { Link, Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import links from '../parts/navigation-link.module.css'
import { useMe } from '../shell/me.tsx'
import { NotFound } from '../shell/states.tsx'
import { settingsTexts } from '../texts/settings/settings.ts'
import { permittedGroups, permittedSections } from './sections.ts'
import styles from './settings-screen.module.css'

export function SettingsScreen() {
  const groups = permittedGroups(useMe())
  const navigation = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // On a phone the sections are one line, wider than the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another section is open.
  useEffect(() => {
    navigation.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path])
  if (groups.length === 0) return <NotFound />
  return (
    <div className={styles.screen}>
      <nav ref={navigation} className={styles.sections} aria-label={settingsTexts.title}>
        {groups.map(({ name, sections }) => (
          <section key={name} className={styles.group}>
            <h2 className={links.groupName}>{name}</h2>
            {sections.map(({ to, label }) => (
              <Link
                key={to}
                to={to}
                className={links.link}
                activeProps={{ className: links.active, 'aria-current': 'page' }}
              >
                {label}
              </Link>
            ))}
          </section>
        ))}
      </nav>
      <div className={styles.section}>
        <Outlet />
      </div>
    </div>
  )
}

/** What `/settings` itself shows. */
export function FirstSection() {
  const [first] = permittedSections(useMe())
  return first ? <Navigate to={first.to} replace /> : <NotFound />
}
