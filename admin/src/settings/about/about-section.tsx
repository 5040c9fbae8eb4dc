/** What runs the project: versions, database, and where its documentation is. */
import { useQuery } from '@tanstack/react-query'
import { rootUrl } from '../../api/request.ts'
import { aboutQuery } from '../../api/settings/settings.ts'
import { useMe } from '../../shell/me.tsx'
import { Loading, ScreenError } from '../../shell/states.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { SectionPage } from '../section-page.tsx'
import styles from './about-section.module.css'

const { about: words } = settingsTexts

export function AboutSection() {
  const { data, error, refetch } = useQuery(aboutQuery)
  const { settings } = useMe()
  if (error) return <ScreenError error={error} reset={() => void refetch()} />
  if (!data) return <Loading />
  const rows: readonly (readonly [label: string, value: string])[] = [
    [words.project, data.project ?? words.unnamed],
    [words.version, data.version],
    [words.database, words.databases[data.database]],
    [words.node, data.node],
    [words.mode, data.production ? words.production : words.development],
    [words.address, settings.serverUrl ?? rootUrl.origin],
  ]
  return (
    <SectionPage title={words.title}>
      <dl className={styles.facts}>
        {rows.map(([label, value]) => (
          <div key={label} className={styles.fact}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ul className={styles.links}>
        <li>
          <a href={new URL('docs', rootUrl).href}>{words.reference}</a>
          <span>{words.referenceText}</span>
        </li>
        <li>
          <a href={new URL('api/openapi.json', rootUrl).href}>{words.openapi}</a>
          <span>{words.openapiText}</span>
        </li>
      </ul>
    </SectionPage>
  )
}
