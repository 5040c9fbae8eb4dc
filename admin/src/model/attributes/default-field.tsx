/** The default of an attribute, entered as its values are. The server says whether it is valid. */
import { NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { modelTexts } from '../../texts/model.ts'
import { texts } from '../../texts.ts'
import { withOption } from '../draft/schema.ts'
import type { Option } from './option.ts'
import type { OptionFieldProps } from './option-field-props.ts'

type DefaultFieldProps = OptionFieldProps<Extract<Option, { kind: 'default' }>>

const INPUT_TYPES = { text: 'text', date: 'date', time: 'time', datetime: 'text' } as const

export function DefaultField({ option, attribute, onChange, problemAt }: DefaultFieldProps) {
  const [label, description] = modelTexts.options.default
  const value = attribute.default
  const set = (next: unknown) => onChange(withOption(attribute, 'default', next))
  const shared = { label, description, error: problemAt('default') }
  switch (option.input) {
    case 'boolean':
      return (
        <Select
          {...shared}
          data={[
            { value: 'true', label: texts.yes },
            { value: 'false', label: texts.no },
          ]}
          value={typeof value === 'boolean' ? String(value) : null}
          onChange={(next) => set(next === null ? undefined : next === 'true')}
          placeholder={modelTexts.noDefault}
          clearable
        />
      )
    case 'choice':
      return (
        <Select
          {...shared}
          data={[...new Set((attribute.enum ?? []).filter((word) => word !== ''))]}
          value={typeof value === 'string' ? value : null}
          onChange={(next) => set(next ?? undefined)}
          placeholder={modelTexts.noDefault}
          clearable
        />
      )
    case 'number':
      return (
        <NumberInput
          {...shared}
          value={typeof value === 'number' || typeof value === 'string' ? value : ''}
          onChange={(next) => set(next === '' ? undefined : Number(next))}
        />
      )
    case 'json':
      return <JsonDefault {...shared} value={value} onChange={set} />
    case 'long':
      return (
        <Textarea
          {...shared}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => set(event.currentTarget.value || undefined)}
          autosize
          minRows={2}
        />
      )
    default:
      return (
        <TextInput
          {...shared}
          type={INPUT_TYPES[option.input]}
          step={1}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => set(event.currentTarget.value || undefined)}
        />
      )
  }
}

interface JsonDefaultProps {
  readonly label: string
  readonly description: string
  readonly error: string | undefined
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function JsonDefault({ value, onChange, error, ...labels }: JsonDefaultProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2))
  const [isInvalid, setIsInvalid] = useState(false)
  const change = (next: string) => {
    setText(next)
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next))
      setIsInvalid(false)
    } catch {
      setIsInvalid(true)
    }
  }
  return (
    <Textarea
      {...labels}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      error={isInvalid ? texts.fields.invalidJson : error}
      autosize
      minRows={2}
      spellCheck={false}
    />
  )
}
