/** One field of a form: the editor of its attribute type, with its label and what this person may do with it. */
import { memo } from 'react'
import type { AttributeView, FieldView } from '../../../api/types.ts'
import { fieldType } from '../../../fields/index.ts'
import { useForm } from '../../../form/hooks.ts'
import type { FormPath } from '../../../form/path.ts'
import { labelFromName } from './labels.ts'

interface FormFieldProps {
  readonly path: FormPath
  readonly attribute: AttributeView
  readonly view?: FieldView | undefined
  readonly isReadOnly: boolean
}

export const FormField = memo(function FormField({ path, attribute, view, isReadOnly }: FormFieldProps) {
  const { isNew } = useForm()
  const { Edit } = fieldType(attribute.type)
  const isWritable = isNew ? attribute.writable.create : attribute.writable.update
  return (
    <Edit
      path={path}
      attribute={attribute}
      label={view?.label ?? labelFromName(attribute.name)}
      help={view?.help ?? null}
      placeholder={view?.placeholder ?? null}
      isReadOnly={isReadOnly || !isWritable}
    />
  )
})
