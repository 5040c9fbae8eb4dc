/** Creates a content-type or component, or changes its settings. */
import { Autocomplete, Button, Checkbox, Drawer, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../shell/me.tsx'
import { modelTexts } from '../../texts/model.ts'
import { texts } from '../../texts.ts'
import { type Attributes, categoryOf, isType } from '../draft/schema.ts'
import { useModel } from '../model-context.tsx'
import { apiName, pluralOf } from './api-names.ts'
import { IndexesField } from './indexes-field.tsx'
import styles from './schema-page.module.css'
import { NEW_SCHEMA, nextUid, putSchemaValues, type SchemaValues, valuesOf } from './schema-values.ts'

interface SchemaDialogProps {
  readonly kind: 'type' | 'component'
  /** Null for a new one. */
  readonly uid: string | null
  readonly onClose: () => void
}

export function SchemaDialog({ kind, uid, onClose }: SchemaDialogProps) {
  const { draft, change, problems } = useModel()
  const navigate = useNavigate()
  const schema = uid === null ? undefined : draft.schemas.get(uid)
  const [values, setValues] = useState<SchemaValues>(() => (schema ? valuesOf(schema) : NEW_SCHEMA))
  const [error, setError] = useState<string | null>(null)
  const set = (changed: Partial<SchemaValues>) => setValues((current) => ({ ...current, ...changed }))
  /** The names of a new schema follow what people write, until they write their own. */
  const setDisplayName = (displayName: string) => {
    const [former, singular] = [apiName(values.displayName), apiName(displayName)]
    const isDerived = uid === null && values.singular === former
    set({ displayName, ...(isDerived && { singular, plural: pluralOf(singular) }) })
  }
  const submit = () => {
    const next = nextUid(draft, kind, uid, values)
    if (values.displayName.trim() === '' || values.singular === '')
      return setError(modelTexts.schema.required)
    if (next !== uid && draft.schemas.has(next)) return setError(modelTexts.schema.taken(next))
    change((current) => putSchemaValues(current, kind, uid, values))
    onClose()
    if (next !== uid) void navigate({ to: '/model/$uid', params: { uid: next } })
  }
  const problemAt = (key: string) =>
    problems.find(({ uid: at, path }) => at === uid && path.at(-1) === key && path[0] !== 'attributes')
      ?.message
  const title =
    uid !== null
      ? modelTexts.schema.edit(values.displayName)
      : kind === 'type'
        ? modelTexts.schema.newType
        : modelTexts.schema.newComponent
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={460}
      title={title}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextInput
          label={modelTexts.schema.displayName}
          description={modelTexts.schema.displayNameHint}
          value={values.displayName}
          onChange={(event) => setDisplayName(event.currentTarget.value)}
          error={error}
          data-autofocus
        />
        {kind === 'type' ? (
          <TypeSettings
            values={values}
            onChange={set}
            problemAt={problemAt}
            attributes={schema?.attributes ?? {}}
          />
        ) : (
          <ComponentSettings values={values} onChange={set} />
        )}
        <Textarea
          label={modelTexts.schema.description}
          value={values.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
          autosize
          minRows={2}
        />
        <div className={styles.formActions}>
          <Button type="submit">{uid === null ? modelTexts.schema.create : modelTexts.schema.done}</Button>
        </div>
      </form>
    </Drawer>
  )
}

interface SettingsProps {
  readonly values: SchemaValues
  readonly onChange: (changed: Partial<SchemaValues>) => void
}

interface TypeSettingsProps extends SettingsProps {
  readonly problemAt: (key: string) => string | undefined
  readonly attributes: Attributes
}

function TypeSettings({ values, onChange, problemAt, attributes }: TypeSettingsProps) {
  const { locales } = useMe()
  const { schema } = modelTexts
  const segment = values.isSingle ? values.singular : values.plural
  return (
    <>
      <div>
        <SegmentedControl
          fullWidth
          aria-label={schema.kind}
          data={[
            { value: 'collection', label: schema.collection },
            { value: 'single', label: schema.single },
          ]}
          value={values.isSingle ? 'single' : 'collection'}
          onChange={(value) => onChange({ isSingle: value === 'single' })}
        />
        <p className={styles.hint}>{values.isSingle ? schema.singleHint : schema.collectionHint}</p>
      </div>
      <div className={styles.pair}>
        <TextInput
          label={schema.singular}
          value={values.singular}
          onChange={(event) => onChange({ singular: event.currentTarget.value })}
          error={problemAt('singularName')}
        />
        <TextInput
          label={schema.plural}
          value={values.plural}
          onChange={(event) => onChange({ plural: event.currentTarget.value })}
          error={problemAt('pluralName')}
        />
      </div>
      {segment !== '' && <p className={styles.hint}>{schema.path(`/api/${segment}`)}</p>}
      <Checkbox
        label={schema.draftAndPublish}
        description={schema.draftAndPublishHint}
        checked={values.draftAndPublish}
        onChange={(event) =>
          onChange({ draftAndPublish: event.currentTarget.checked, history: event.currentTarget.checked })
        }
      />
      <Checkbox
        label={schema.localized}
        description={`${schema.localizedHint} (${locales.codes.join(', ')})`}
        checked={values.localized}
        onChange={(event) => onChange({ localized: event.currentTarget.checked })}
      />
      <Checkbox
        label={schema.history}
        description={schema.historyHint}
        checked={values.history}
        onChange={(event) => onChange({ history: event.currentTarget.checked })}
      />
      <Checkbox
        label={schema.creators}
        description={schema.creatorsHint}
        checked={values.showsCreators}
        onChange={(event) => onChange({ showsCreators: event.currentTarget.checked })}
      />
      <IndexesField
        attributes={attributes}
        value={values.indexes}
        onChange={(indexes) => onChange({ indexes })}
        problem={problemAt('indexes')}
      />
    </>
  )
}

function ComponentSettings({ values, onChange }: SettingsProps) {
  const { draft } = useModel()
  const components = [...draft.schemas.values()].filter(({ uid }) => !isType(uid))
  return (
    <>
      <div className={styles.pair}>
        <Autocomplete
          label={modelTexts.schema.category}
          data={[...new Set(components.map(categoryOf))]}
          value={values.category}
          onChange={(category) => onChange({ category: apiName(category) })}
        />
        <TextInput
          label={modelTexts.schema.componentName}
          value={values.singular}
          onChange={(event) => onChange({ singular: event.currentTarget.value })}
        />
      </div>
      <TextInput
        label={modelTexts.schema.icon}
        description={modelTexts.schema.iconHint}
        value={values.icon}
        onChange={(event) => onChange({ icon: event.currentTarget.value })}
      />
    </>
  )
}
