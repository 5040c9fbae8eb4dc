/** Yes or no. */
import { Input, Switch } from '@mantine/core'
import { texts } from '../../texts.ts'
import type { FieldProps, FieldType } from '../field-type.ts'
import { equalityFilter } from '../shared/filters.ts'
import { useField } from '../shared/use-field.ts'
import styles from './boolean.module.css'

const textOf = (value: unknown) => (typeof value === 'boolean' ? (value ? texts.yes : texts.no) : '')

function Edit(props: FieldProps) {
  const { value, setValue, inputProps } = useField(props)
  const { id, label, description, error, withAsterisk, disabled } = inputProps
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error} withAsterisk={withAsterisk}>
      <div className={styles.line}>
        <Switch
          id={id}
          checked={value === true}
          disabled={disabled}
          onChange={(event) => setValue(event.currentTarget.checked)}
        />
        <span aria-hidden>{textOf(value) || texts.fields.unset}</span>
      </div>
    </Input.Wrapper>
  )
}

export const boolean: FieldType = {
  Edit,
  summary: textOf,
  filter: equalityFilter('boolean'),
  isSortable: true,
  isWide: false,
}
