/** Documents as the API returned them: a column for each attribute that is visible. */
import type { ContentDocument, ContentTypeView } from '../../../api/types.ts'
import { fieldType } from '../../../fields/index.ts'
import styles from './see-as-role.module.css'

interface SeenDocumentsProps {
  readonly type: ContentTypeView
  readonly documents: readonly ContentDocument[]
}

export function SeenDocuments({ type, documents }: SeenDocumentsProps) {
  const returned = new Set(documents.flatMap((document) => Object.keys(document)))
  const columns = [...type.attributes]
    .filter(({ name }) => returned.has(name))
    .sort((one, other) => rankOf(type, one.name) - rankOf(type, other.name))
  const labelOf = (name: string) => type.view.fields.find((field) => field.name === name)?.label ?? name
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than the drawer is scrolled by keyboard.
    <section className={styles.scroller} tabIndex={0} aria-label={type.view.label}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th key={name}>{labelOf(name)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {documents.map((document) => (
            <tr key={document.documentId}>
              {columns.map((attribute) => (
                <td key={attribute.name}>
                  {fieldType(attribute.type).summary(document[attribute.name], attribute)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The attribute that names a document comes first. */
const rankOf = ({ view }: ContentTypeView, name: string) => (name === view.mainField ? 0 : 1)
