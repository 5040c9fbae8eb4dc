/** The fields of one entry. */
import { FormField } from '../../content/edit/form/form-field.tsx'
import { useForm } from '../../form/hooks.ts'
import { join } from '../../form/path.ts'
import { attributesOf } from '../../form/schema.ts'
import { fieldType } from '../index.ts'
import styles from './rows.module.css'

interface EntryFieldsProps {
  readonly path: string
  readonly component: string
  readonly isReadOnly: boolean
}

export function EntryFields({ path, component, isReadOnly }: EntryFieldsProps) {
  const { schema } = useForm()
  return (
    <div className={styles.grid}>
      {attributesOf(schema, component).map((attribute) => (
        <div key={attribute.name} data-wide={fieldType(attribute.type).isWide}>
          <FormField path={join(path, attribute.name)} attribute={attribute} isReadOnly={isReadOnly} />
        </div>
      ))}
    </div>
  )
}
