/** Selects records of the audit log: who, what, which document, and when. */
import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type AuditFilter, auditAuthorsQuery } from '../../api/settings/audit.ts'
import { useMe } from '../../shell/me.tsx'
import { auditTexts } from '../../texts/settings/audit.ts'
import { actionGroups } from './actions.ts'
import styles from './audit.module.css'

const TYPING_DELAY_MS = 300

interface AuditFiltersProps {
  readonly filter: AuditFilter
  readonly onChange: (change: Partial<Record<keyof AuditFilter, string | undefined>>) => void
  readonly onClear: () => void
}

export function AuditFilters({ filter, onChange, onClear }: AuditFiltersProps) {
  const { contentTypes } = useMe()
  const { data: authors } = useQuery(auditAuthorsQuery)
  return (
    <search className={styles.filters} aria-label={auditTexts.filters}>
      <Select
        label={auditTexts.by}
        placeholder={auditTexts.anyone}
        data={[
          { group: auditTexts.people, items: authors?.people ?? [] },
          { group: auditTexts.tokens, items: authors?.tokens ?? [] },
          {
            group: auditTexts.others,
            items: [
              { value: 'public', label: auditTexts.public },
              { value: 'system', label: auditTexts.system },
            ],
          },
        ]}
        value={filter.by ?? null}
        onChange={(by) => onChange({ by: by ?? undefined })}
        searchable
        clearable
      />
      <Select
        label={auditTexts.action}
        placeholder={auditTexts.anyAction}
        data={actionGroups}
        value={filter.action ?? null}
        onChange={(action) => onChange({ action: action ?? undefined })}
        searchable
        clearable
      />
      <Select
        label={auditTexts.type}
        placeholder={auditTexts.anyType}
        data={contentTypes.map(({ uid, displayName }) => ({ value: uid, label: displayName }))}
        value={filter.type ?? null}
        onChange={(type) => onChange({ type: type ?? undefined })}
        searchable
        clearable
      />
      <DocumentIdInput
        value={filter.documentId ?? ''}
        onChange={(documentId) => onChange({ documentId: documentId === '' ? undefined : documentId })}
      />
      <TextInput
        type="date"
        label={auditTexts.from}
        value={filter.from ?? ''}
        max={filter.to}
        onChange={({ currentTarget: { value } }) => onChange({ from: value === '' ? undefined : value })}
      />
      <TextInput
        type="date"
        label={auditTexts.to}
        value={filter.to ?? ''}
        min={filter.from}
        onChange={({ currentTarget: { value } }) => onChange({ to: value === '' ? undefined : value })}
      />
      {Object.keys(filter).length > 0 && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          {auditTexts.clear}
        </Button>
      )}
    </search>
  )
}

interface DocumentIdInputProps {
  readonly value: string
  readonly onChange: (documentId: string) => void
}

function DocumentIdInput({ value, onChange }: DocumentIdInputProps) {
  const [text, setText] = useState(value)
  const report = useDebouncedCallback(onChange, TYPING_DELAY_MS)
  useEffect(() => setText(value), [value])
  return (
    <TextInput
      label={auditTexts.documentId}
      value={text}
      spellCheck={false}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        report(currentTarget.value.trim())
      }}
    />
  )
}
