/** The input of one option of an attribute. */
import { Checkbox, MultiSelect, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { modelTexts } from '../../texts/model.ts'
import { isType, nameOf, type Schema, withOption } from '../draft/schema.ts'
import { useModel } from '../model-context.tsx'
import { DefaultField } from './default-field.tsx'
import type { Option } from './option.ts'
import type { OptionFieldProps } from './option-field-props.ts'
import { RelationFields } from './relation-fields.tsx'

const { options: labels } = modelTexts

const described = ([label, description]: readonly [string, string | null]) => ({
  label,
  ...(description !== null && { description }),
})

export function OptionField(props: OptionFieldProps) {
  const { option, attribute, schema, onChange, problemAt } = props
  const { draft } = useModel()
  const set = (value: unknown) => onChange(withOption(attribute, option.key, value))
  const error = problemAt(option.key)
  switch (option.kind) {
    case 'flag': {
      const byDefault = option.byDefault === true
      return (
        <Checkbox
          {...described(flagLabel(option.key))}
          checked={attribute[option.key] ?? byDefault}
          onChange={({ currentTarget: { checked } }) => set(checked === byDefault ? undefined : checked)}
          error={error}
        />
      )
    }
    case 'count':
      return (
        <NumberInput
          {...described(labels[option.key])}
          value={attribute[option.key] ?? ''}
          onChange={(value) => set(value === '' ? undefined : Number(value))}
          min={0}
          allowDecimal={false}
          error={error}
        />
      )
    case 'bound':
      return <BoundField {...props} option={option} />
    case 'pattern':
      return (
        <TextInput
          {...described(labels.regex)}
          value={attribute.regex ?? ''}
          onChange={(event) => set(event.currentTarget.value || undefined)}
          error={error}
          spellCheck={false}
        />
      )
    case 'words':
      return (
        <Textarea
          {...described(labels.enum)}
          value={(attribute.enum ?? []).join('\n')}
          onChange={(event) => set(event.currentTarget.value.split('\n'))}
          onBlur={() => set((attribute.enum ?? []).map((word) => word.trim()).filter((word) => word !== ''))}
          autosize
          minRows={3}
          error={error}
        />
      )
    case 'default':
      return <DefaultField {...props} option={option} />
    case 'source':
      return (
        <Select
          {...described(labels.targetField)}
          data={Object.entries(schema.attributes)
            .filter(([, { type }]) => ['string', 'text', 'email', 'enumeration', 'richtext'].includes(type))
            .map(([each]) => each)}
          value={attribute.targetField ?? null}
          onChange={(value) => set(value ?? undefined)}
          placeholder={modelTexts.noSource}
          clearable
          error={error}
        />
      )
    case 'generate':
      return (
        <Checkbox
          {...described(labels.generate)}
          checked={attribute.options?.generate === true}
          onChange={({ currentTarget: { checked } }) =>
            set(checked ? { ...attribute.options, generate: true } : undefined)
          }
        />
      )
    case 'localized':
      return (
        <Checkbox
          {...described(labels.localized)}
          checked={attribute.pluginOptions?.i18n?.localized === true}
          onChange={({ currentTarget: { checked } }) => {
            const { i18n: _, ...others } = attribute.pluginOptions ?? {}
            const next = checked ? { ...others, i18n: { localized: true } } : others
            set(Object.keys(next).length > 0 ? next : undefined)
          }}
        />
      )
    case 'mediaKinds':
      return (
        <MultiSelect
          {...described(labels.allowedTypes)}
          data={Object.entries(modelTexts.mediaKinds).map(([value, label]) => ({ value, label }))}
          value={(attribute.allowedTypes ?? []).filter((kind) => kind !== 'any')}
          onChange={(kinds) => set(kinds.length > 0 ? kinds : undefined)}
          error={error}
        />
      )
    case 'component':
      return (
        <Select
          {...described(labels.component)}
          data={componentChoices(draft.schemas, schema)}
          value={attribute.component ?? null}
          onChange={(value) => set(value ?? undefined)}
          searchable
          error={error}
        />
      )
    case 'components':
      return (
        <MultiSelect
          {...described(labels.components)}
          data={componentChoices(draft.schemas, schema)}
          value={[...(attribute.components ?? [])]}
          onChange={set}
          searchable
          error={error}
        />
      )
    case 'relation':
      return <RelationFields {...props} option={option} />
  }
}

const flagLabel = (key: Extract<Option, { kind: 'flag' }>['key']) => labels[key]

const componentChoices = (schemas: ReadonlyMap<string, Schema>, within: Schema) =>
  [...schemas.values()]
    .filter(({ uid }) => !isType(uid) && uid !== within.uid)
    .map((schema) => ({ value: schema.uid, label: `${nameOf(schema)} (${schema.uid})` }))

/** Bounds of big integers are strings, which keep all digits. */
function BoundField({
  option,
  attribute,
  onChange,
  problemAt,
}: OptionFieldProps<Extract<Option, { kind: 'bound' }>>) {
  const { key, of } = option
  const label = of === 'entries' ? labels[key === 'min' ? 'minEntries' : 'maxEntries'] : labels[key]
  const set = (value: unknown) => onChange(withOption(attribute, key, value))
  const error = problemAt(key)
  if (of === 'exact')
    return (
      <TextInput
        {...described(label)}
        value={String(attribute[key] ?? '')}
        onChange={(event) => set(event.currentTarget.value.trim() || undefined)}
        inputMode="numeric"
        error={error}
      />
    )
  return (
    <NumberInput
      {...described(label)}
      value={attribute[key] ?? ''}
      onChange={(value) => set(value === '' ? undefined : Number(value))}
      allowDecimal={of === 'number'}
      {...(of === 'entries' && { min: 0 })}
      error={error}
    />
  )
}
