/** Finds documents of one type, and adds the selected ones to a release. */
import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { searchQuery } from '../api/content/content.ts'
import { addEntries, type OpenedRelease, type OpenedReleaseResponse } from '../api/content/releases.ts'
import type { ContentTypeView } from '../api/types.ts'
import { StatusBadge } from '../content/status-badge.tsx'
import { titleOf } from '../content/title.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { useMe } from '../shell/me.tsx'
import { releaseTexts } from '../texts/releases.ts'
import { texts } from '../texts.ts'
import styles from './releases.module.css'

interface AddDocumentsDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly release: OpenedRelease
  readonly onChange: (response: OpenedReleaseResponse) => void
}

export function AddDocumentsDialog({ isOpen, onClose, release, onChange }: AddDocumentsDialogProps) {
  const { contentTypes, locales } = useMe()
  const types = contentTypes.filter(
    ({ kind, actions, draftAndPublish }) =>
      kind === 'collection' && draftAndPublish && actions.find && actions.publish,
  )
  const [uid, setUid] = useState(types[0]?.uid ?? '')
  const [locale, setLocale] = useState(locales.default)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const type = types.find((one) => one.uid === uid)
  const close = () => {
    setSelected(new Set())
    onClose()
  }
  const toggle = (documentId: string) =>
    setSelected((current) => {
      const next = new Set(current)
      if (!next.delete(documentId)) next.add(documentId)
      return next
    })
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title={releaseTexts.addDocuments}
      submit={releaseTexts.addSelected(selected.size)}
      isDisabled={selected.size === 0}
      size="lg"
      onSubmit={async () => {
        const entries = [...selected].map((documentId) => ({
          ...{ type: uid, documentId, action: 'publish' as const },
          locale: type?.localized ? locale : null,
        }))
        onChange(await addEntries(release.id, entries))
        notifications.show({ message: releaseTexts.added(entries.length, release.name) })
      }}
    >
      <Group grow gap={8}>
        <NativeSelect
          label={releaseTexts.type}
          data={types.map(({ uid: value, view }) => ({ value, label: view.label }))}
          value={uid}
          onChange={({ currentTarget }) => {
            setUid(currentTarget.value)
            setSelected(new Set())
          }}
        />
        {type?.localized && (
          <NativeSelect
            label={texts.list.locale}
            data={[...locales.codes]}
            value={locale}
            onChange={({ currentTarget }) => {
              setLocale(currentTarget.value)
              setSelected(new Set())
            }}
          />
        )}
      </Group>
      {type && (
        <Found
          type={type}
          locale={type.localized ? locale : undefined}
          release={release}
          selected={selected}
          onToggle={toggle}
        />
      )}
    </FormDialog>
  )
}

interface FoundProps {
  readonly type: ContentTypeView
  readonly locale: string | undefined
  readonly release: OpenedRelease
  readonly selected: ReadonlySet<string>
  readonly onToggle: (documentId: string) => void
}

function Found({ type, locale, release, selected, onToggle }: FoundProps) {
  const [term, setTerm] = useState('')
  const [searched] = useDebouncedValue(term.trim(), 200)
  const { data } = useQuery({
    ...searchQuery(type, searched, locale),
    placeholderData: (previous) => previous,
  })
  const isInRelease = (documentId: string) =>
    release.entries.some((entry) => entry.documentId === documentId && entry.locale === (locale ?? null))
  return (
    <>
      <TextInput
        label={releaseTexts.searchDocuments}
        value={term}
        onChange={({ currentTarget }) => setTerm(currentTarget.value)}
        data-autofocus
      />
      {data && data.data.length === 0 && <p className={styles.text}>{releaseTexts.noDocuments}</p>}
      {data && data.data.length > 0 && (
        <ul className={styles.found}>
          {data.data.map((document) => (
            <li key={document.documentId}>
              <Checkbox
                label={titleOf(type, document)}
                checked={selected.has(document.documentId) || isInRelease(document.documentId)}
                disabled={isInRelease(document.documentId)}
                onChange={() => onToggle(document.documentId)}
              />
              {isInRelease(document.documentId) && (
                <span className={styles.under}>{releaseTexts.inRelease}</span>
              )}
              {document.__meta && <StatusBadge status={document.__meta.status} />}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
