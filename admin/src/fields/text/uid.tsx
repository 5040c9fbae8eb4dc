/** A part of a URL, usually generated from another attribute. */
import { ActionIcon, TextInput, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconWand } from '@tabler/icons-react'
import { cutSlug, MAX_SLUG_LENGTH, slugOf } from '../../../../src/documents/input/slug.ts'
import { useForm } from '../../form/hooks.ts'
import { join } from '../../form/path.ts'
import { texts } from '../../texts.ts'
import type { FieldProps, FieldType } from '../field-type.ts'
import { textFilter } from '../shared/filters.ts'
import { useField } from '../shared/use-field.ts'
import { textOf } from './text-field.tsx'

function Edit(props: FieldProps) {
  const { store } = useForm()
  const { value, setValue, inputProps } = useField(props)
  const { targetField, maxLength } = props.attribute
  const generate = () => {
    const parent = props.path.includes('/') ? props.path.slice(0, props.path.lastIndexOf('/')) : ''
    const source = textOf(store.get(join(parent, targetField ?? '')))
    const slug = cutSlug(slugOf(source), Math.min(maxLength ?? MAX_SLUG_LENGTH, MAX_SLUG_LENGTH))
    if (slug !== '') setValue(slug)
    else notifications.show({ message: source.trim() === '' ? texts.fields.noSource : texts.fields.noSlug })
  }
  return (
    <TextInput
      {...inputProps}
      value={textOf(value)}
      onChange={(event) => setValue(event.currentTarget.value === '' ? null : event.currentTarget.value)}
      rightSection={
        targetField !== undefined &&
        !props.isReadOnly && (
          <Tooltip label={texts.fields.generate}>
            <ActionIcon onClick={generate} aria-label={texts.fields.generate}>
              <IconWand size={16} stroke={1.5} />
            </ActionIcon>
          </Tooltip>
        )
      }
    />
  )
}

export const uid: FieldType = { Edit, summary: textOf, filter: textFilter, isSortable: true, isWide: false }
