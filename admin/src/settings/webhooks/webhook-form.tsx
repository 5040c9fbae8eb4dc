/** The settings of a webhook. */
import { ActionIcon, Button, MultiSelect, Switch, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ApiError, messageOf } from '../../api/request.ts'
import { EVENT_NAMES, type WebhookSettings } from '../../api/settings/webhooks.ts'
import { commonFilterables } from '../../filters/filterable.ts'
import { type Filters, FiltersEditor } from '../../filters/filters-editor.tsx'
import { isEqual } from '../../form/equal.ts'
import { useMe, useSchema } from '../../shell/me.tsx'
import { webhookTexts } from '../../texts/settings/webhooks.ts'
import { texts } from '../../texts.ts'
import styles from './webhooks.module.css'

interface WebhookFormProps {
  /** What the form begins with. */
  readonly initial: WebhookSettings
  readonly isReadOnly: boolean
  readonly label: string
  readonly onSave: (settings: WebhookSettings) => Promise<unknown>
}

interface Header {
  readonly key: number
  readonly name: string
  readonly value: string
}

export function WebhookForm({ initial, isReadOnly, label, onSave }: WebhookFormProps) {
  const { contentTypes } = useMe()
  const [settings, setSettings] = useState(initial)
  const [filters, setFilters] = useState<Filters | null>(initial.filters ?? {})
  const schema = useSchema()
  const [headers, setHeaders] = useState<readonly Header[]>(
    Object.entries(initial.headers).map(([name, value], key) => ({ key, name, value })),
  )
  const entered = { ...settings, filters: presentFilters(filters), headers: headersOf(headers) }
  const [saved, setSaved] = useState<WebhookSettings>(entered)
  const isChanged = filters === null || !isEqual(entered, saved)
  useBlocker({
    shouldBlockFn: () => isChanged && !window.confirm(texts.edit.leaveTitle),
    enableBeforeUnload: isChanged,
  })
  const { mutate, error, isPending } = useMutation({
    mutationFn: onSave,
    onSuccess: (_result, sent) => setSaved(sent),
  })
  const types = contentTypes.filter(({ uid }) => settings.types?.includes(uid))
  const change = (part: Partial<WebhookSettings>) => setSettings((current) => ({ ...current, ...part }))
  const problemOf = (key: string) =>
    error instanceof ApiError ? error.problems.find(({ path }) => path[0] === key)?.message : undefined
  const problems = error instanceof ApiError ? error.problems : []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate(entered)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <fieldset className={styles.fields} disabled={isReadOnly}>
        <TextInput
          label={webhookTexts.name}
          value={settings.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          error={problemOf('name')}
          required
          withAsterisk={false}
          maxLength={100}
        />
        <TextInput
          label={webhookTexts.url}
          description={webhookTexts.urlHint}
          type="url"
          placeholder="https://"
          value={settings.url}
          onChange={({ currentTarget }) => change({ url: currentTarget.value })}
          error={problemOf('url')}
          required
          withAsterisk={false}
        />
        <MultiSelect
          label={webhookTexts.eventsLabel}
          description={webhookTexts.eventsHint}
          data={[...EVENT_NAMES]}
          value={[...(settings.events ?? [])]}
          onChange={(events) => change({ events: events.length === 0 ? null : events })}
          error={problemOf('events')}
          disabled={isReadOnly}
          clearable
        />
        <MultiSelect
          label={webhookTexts.types}
          description={webhookTexts.typesHint}
          data={contentTypes.map(({ uid, view }) => ({ value: uid, label: view.label }))}
          value={[...(settings.types ?? [])]}
          onChange={(types) => change({ types: types.length === 0 ? null : types })}
          error={problemOf('types')}
          disabled={isReadOnly}
          searchable
          clearable
        />
        <fieldset className={styles.headers}>
          <legend className={styles.label}>{webhookTexts.filters}</legend>
          <span className={styles.hint}>{webhookTexts.filtersHint}</span>
          {(types.length > 0 || initial.filters) && (
            <FiltersEditor
              // Other content-types have other attributes to compare.
              key={types.map(({ uid }) => uid).join()}
              initial={filters ?? initial.filters ?? undefined}
              filterables={commonFilterables(schema, types)}
              isOptional
              isReadOnly={isReadOnly}
              onChange={setFilters}
              status={
                <span className={styles.problem}>
                  {filters === null ? texts.filters.invalidJson : problemOf('filters')}
                </span>
              }
            />
          )}
        </fieldset>
        <Headers
          headers={headers}
          isReadOnly={isReadOnly}
          onChange={setHeaders}
          problem={problemOf('headers')}
        />
      </fieldset>
      <Switch
        label={webhookTexts.states.on}
        checked={settings.enabled}
        onChange={({ currentTarget }) => change({ enabled: currentTarget.checked })}
      />
      {error && problems.length === 0 && (
        <p className={styles.error} role="alert">
          {messageOf(error)}
        </p>
      )}
      <div>
        <Button type="submit" loading={isPending} disabled={filters === null}>
          {label}
        </Button>
      </div>
    </form>
  )
}

const presentFilters = (filters: Filters | null) =>
  filters && Object.keys(filters).length > 0 ? filters : null

const headersOf = (headers: readonly Header[]) =>
  Object.fromEntries(headers.flatMap(({ name, value }) => (name.trim() === '' ? [] : [[name.trim(), value]])))

interface HeadersProps {
  readonly headers: readonly Header[]
  readonly isReadOnly: boolean
  readonly onChange: (headers: readonly Header[]) => void
  readonly problem: string | undefined
}

function Headers({ headers, isReadOnly, onChange, problem }: HeadersProps) {
  const change = (key: number, part: Partial<Header>) =>
    onChange(headers.map((header) => (header.key === key ? { ...header, ...part } : header)))
  const nextKey = Math.max(-1, ...headers.map(({ key }) => key)) + 1
  return (
    <fieldset className={styles.headers}>
      <legend className={styles.label}>{webhookTexts.headers}</legend>
      <span className={styles.hint}>{webhookTexts.headersHint}</span>
      {headers.map(({ key, name, value }, index) => (
        <div key={key} className={styles.headerRow}>
          <TextInput
            aria-label={webhookTexts.headerName(index + 1)}
            placeholder="authorization"
            value={name}
            onChange={({ currentTarget }) => change(key, { name: currentTarget.value })}
          />
          <TextInput
            aria-label={webhookTexts.headerValue(index + 1)}
            value={value}
            onChange={({ currentTarget }) => change(key, { value: currentTarget.value })}
          />
          {!isReadOnly && (
            <ActionIcon
              aria-label={webhookTexts.removeHeader(name)}
              onClick={() => onChange(headers.filter((header) => header.key !== key))}
            >
              <IconX size={16} stroke={1.5} />
            </ActionIcon>
          )}
        </div>
      ))}
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {!isReadOnly && (
        <Button
          mt={6}
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} stroke={1.75} />}
          onClick={() => onChange([...headers, { key: nextKey, name: '', value: '' }])}
        >
          {webhookTexts.addHeader}
        </Button>
      )}
    </fieldset>
  )
}
