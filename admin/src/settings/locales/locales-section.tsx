/** The locales of the project. Changes are written to its folder; where that is not possible, the reason is shown. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ConfiguredLocale, localesQuery } from '../../api/settings/locales.ts'
import { useMe } from '../../shell/me.tsx'
import { Loading, ScreenError } from '../../shell/states.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import styles from '../parts/parts.module.css'
import { SectionPage } from '../section-page.tsx'
import { LocaleDialog } from './locale-dialog.tsx'
import { LocaleTable } from './locale-table.tsx'
import { RemoveLocaleDialog } from './remove-locale-dialog.tsx'

const { locales: words } = settingsTexts

export function LocalesSection() {
  const { contentTypes } = useMe()
  const { data, error, refetch } = useQuery(localesQuery)
  const [edited, setEdited] = useState<ConfiguredLocale | 'new' | null>(null)
  const [removed, setRemoved] = useState<ConfiguredLocale | null>(null)
  if (error) return <ScreenError error={error} reset={() => void refetch()} />
  if (!data) return <Loading />
  const localized = contentTypes.filter((type) => type.localized).map(({ view }) => view.label)
  const { editable, reason } = data.meta
  return (
    <SectionPage
      title={words.title}
      text={words.text}
      action={editable && <Button onClick={() => setEdited('new')}>{words.add}</Button>}
    >
      {reason !== null && <p className={styles.notice}>{words.readOnly(reason)}</p>}
      <LocaleTable locales={data.data} isEditable={editable} onEdit={setEdited} onRemove={setRemoved} />
      {editable && <p className={`${styles.small} ${styles.below}`}>{words.file}</p>}
      <h2 className={styles.subtitle}>{words.localized}</h2>
      <p className={styles.paragraph}>{localized.length > 0 ? localized.join(', ') : words.none}</p>
      <LocaleDialog locale={edited} onClose={() => setEdited(null)} />
      <RemoveLocaleDialog locale={removed} onClose={() => setRemoved(null)} />
    </SectionPage>
  )
}
