/** A time of day. */
import { TextInput } from '@mantine/core'
import type { FieldProps, FieldType } from '../field-type.ts'
import { orderedFilter } from '../shared/filters.ts'
import { useField } from '../shared/use-field.ts'

/** `19:30:00.000` as an input shows it: without parts that are zero. */
const shorten = (value: unknown) =>
  typeof value === 'string' ? value.replace(/\.0+$/, '').replace(/^(\d\d:\d\d):00$/, '$1') : ''

/** What an input gives, in the server's format. */
function lengthen(value: string): string | null {
  if (value === '') return null
  const [time = '', fraction = ''] = value.split('.')
  return `${time.length === 5 ? `${time}:00` : time}.${fraction.padEnd(3, '0')}`
}

function Edit(props: FieldProps) {
  const { value, setValue, inputProps } = useField(props)
  return (
    <TextInput
      {...inputProps}
      type="time"
      step="any"
      value={shorten(value)}
      onChange={(event) => setValue(lengthen(event.currentTarget.value))}
    />
  )
}

export const time: FieldType = {
  Edit,
  summary: shorten,
  filter: orderedFilter('time'),
  isSortable: true,
  isWide: false,
}
