/** What is known about the document: its locales, who wrote it, and what refers to it. */
import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type DocumentAddress, nameOf, usedByQuery } from '../../api/content/content.ts'
import { scheduleQuery } from '../../api/content/schedule.ts'
import type { ContentDocument, ContentTypeView, Person } from '../../api/types.ts'
import { useMe, useSchema } from '../../shell/me.tsx'
import { texts } from '../../texts.ts'
import { formatInstant, timeAgo } from '../dates.ts'
import { localeName } from '../locale-name.ts'
import { localesInOrder } from '../shown-locales.ts'
import { StatusBadge } from '../status-badge.tsx'
import editorStyles from './document-editor.module.css'
import { fillChanges } from './form/form-body.tsx'
import type { Reference } from './form/use-reference.ts'
import styles from './side-panel.module.css'
import type { Editor } from './use-editor.ts'

const SHOWN_USES = 8

interface SidePanelProps {
  readonly editor: Editor
  readonly type: ContentTypeView
  readonly locale: string | undefined
  readonly compared: string | null
  readonly onCompare: (locale: string | null) => void
  readonly reference: Reference | null
  readonly mayWrite: boolean
}

export function SidePanel(props: SidePanelProps) {
  const { editor, type, locale } = props
  const document = editor.version?.document
  return (
    <aside className={editorStyles.side} aria-label={texts.edit.details}>
      {type.localized && locale !== undefined && editor.exists && <Locales {...props} current={locale} />}
      {document ? <Facts document={document} /> : <NotSaved type={type} />}
      {document && editor.exists && type.actions.schedule && <ScheduledTimes address={editor.address} />}
      {document && (document.__meta?.usedBy ?? 0) > 0 && (
        <Uses editor={editor} count={document.__meta?.usedBy ?? 0} />
      )}
    </aside>
  )
}

function Locales({
  editor,
  type,
  current,
  compared,
  onCompare,
  reference,
  mayWrite,
}: SidePanelProps & { readonly current: string }) {
  const { locales } = useMe()
  const { store, localeStatuses: statuses } = editor
  const fillAll = (from: Reference) => {
    const localized = type.attributes.filter((attribute) => attribute.localized)
    store.setAll(new Map(localized.flatMap(({ name }) => [...fillChanges(store, name, from)])))
  }
  return (
    <section className={styles.sideSection}>
      <h2 className={styles.sideTitle}>{texts.list.locales}</h2>
      <ul className={styles.localeList}>
        {localesInOrder(locales.codes, statuses, current).map((code) => (
          <li key={code}>
            <Link
              to={type.kind === 'single' ? '/content/$type' : '/content/$type/$documentId'}
              params={{ type: type.path, documentId: editor.address.documentId ?? '' }}
              search={{ locale: code }}
              className={styles.localeLink}
              data-current={code === current}
            >
              <span className={styles.localeName}>
                {code} <span>{localeName(locales, code)}</span>
              </span>
              <StatusBadge status={statuses[code] ?? 'missing'} />
            </Link>
          </li>
        ))}
      </ul>
      <Select
        mt={8}
        size="xs"
        data={locales.codes.filter((code) => code !== current)}
        value={compared}
        onChange={onCompare}
        placeholder={texts.locales.compare}
        aria-label={texts.locales.compare}
        searchable={locales.codes.length > 10}
        clearable
      />
      {reference && mayWrite && (
        <Button mt={8} size="xs" variant="default" fullWidth onClick={() => fillAll(reference)}>
          {texts.locales.fillAll(reference.locale)}
        </Button>
      )}
    </section>
  )
}

const who = (person: Person | null | undefined) => (person ? nameOf(person) : '')

function Facts({ document }: { readonly document: ContentDocument }) {
  const { createdAt, updatedAt, publishedAt, __meta: meta } = document
  return (
    <section className={styles.sideSection}>
      <h2 className={styles.sideTitle}>{texts.edit.details}</h2>
      <ul className={styles.facts}>
        {updatedAt && (
          <li title={formatInstant(updatedAt)}>
            {texts.edit.updatedLine(who(meta?.updatedBy), timeAgo(updatedAt))}
          </li>
        )}
        {createdAt && (
          <li title={formatInstant(createdAt)}>
            {texts.edit.createdLine(who(meta?.createdBy), timeAgo(createdAt))}
          </li>
        )}
        {publishedAt && (
          <li title={formatInstant(publishedAt)}>{texts.edit.publishedLine(timeAgo(publishedAt))}</li>
        )}
      </ul>
    </section>
  )
}

function NotSaved({ type }: { readonly type: ContentTypeView }) {
  return (
    <section className={styles.sideSection}>
      <h2 className={styles.sideTitle}>{texts.edit.details}</h2>
      <p className={styles.facts}>{type.draftAndPublish ? texts.edit.notSavedDraft : texts.edit.notSaved}</p>
    </section>
  )
}

/** Nothing unless something is scheduled. */
function ScheduledTimes({ address }: { readonly address: DocumentAddress }) {
  const { data } = useQuery(scheduleQuery(address))
  if (!data || (data.publishAt === null && data.unpublishAt === null)) return null
  return (
    <section className={styles.sideSection}>
      <h2 className={styles.sideTitle}>{texts.schedule.open}</h2>
      <ul className={styles.facts}>
        {data.publishAt !== null && <li>{texts.schedule.publishes(formatInstant(data.publishAt))}</li>}
        {data.unpublishAt !== null && <li>{texts.schedule.unpublishes(formatInstant(data.unpublishAt))}</li>}
      </ul>
    </section>
  )
}

function Uses({ editor, count }: { readonly editor: Editor; readonly count: number }) {
  const schema = useSchema()
  const { data } = useQuery(usedByQuery(editor.address))
  return (
    <section className={styles.sideSection}>
      <h2 className={styles.sideTitle}>{texts.edit.usedBy(count)}</h2>
      <ul className={styles.facts}>
        {data?.data.slice(0, SHOWN_USES).map((use) => {
          const type = schema.types.get(use.type)
          return (
            <li key={`${use.type} ${use.documentId}`}>
              {type ? (
                <Link
                  to="/content/$type/$documentId"
                  params={{ type: type.path, documentId: use.documentId }}
                  {...(use.locale !== null && { search: { locale: use.locale } })}
                >
                  <bdi>{use.title || texts.list.untitled}</bdi>
                </Link>
              ) : (
                use.title
              )}
            </li>
          )
        })}
        {count > SHOWN_USES && <li>{texts.edit.moreUses(count - SHOWN_USES)}</li>}
      </ul>
    </section>
  )
}
