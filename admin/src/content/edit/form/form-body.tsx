/** The fields of a document, in the order and width of its view; beside them another locale, when it is compared. */
import { Button } from '@mantine/core'
import type { CSSProperties } from 'react'
import type { AttributeView, ContentTypeView, FieldView } from '../../../api/types.ts'
import { fieldType } from '../../../fields/index.ts'
import { useForm } from '../../../form/hooks.ts'
import { hasRows } from '../../../form/schema.ts'
import { copyValues, rowsAt } from '../../../form/values/document-values.ts'
import { texts } from '../../../texts.ts'
import styles from '../document-editor.module.css'
import { FormField } from './form-field.tsx'
import type { Reference } from './use-reference.ts'

interface FormBodyProps {
  readonly type: ContentTypeView
  readonly mayWrite: boolean
  readonly reference: Reference | null
}

export function FormBody({ type, mayWrite, reference }: FormBodyProps) {
  return (
    <div className={styles.fields}>
      {orderedFields(type).map(({ attribute, view }) => (
        <FieldWithReference
          key={attribute.name}
          attribute={attribute}
          view={view}
          mayWrite={mayWrite}
          reference={reference}
        />
      ))}
    </div>
  )
}

interface OrderedField {
  readonly attribute: AttributeView
  readonly view: FieldView | undefined
}

function orderedFields({ attributes, view }: ContentTypeView): readonly OrderedField[] {
  const byName = new Map(attributes.map((attribute) => [attribute.name, attribute]))
  const listed = view.fields.flatMap((field) => {
    const attribute = byName.get(field.name)
    return attribute && !field.hidden ? [{ attribute, view: field }] : []
  })
  const known = new Set(view.fields.map(({ name }) => name))
  const rest = attributes
    .filter(({ name }) => !known.has(name))
    .map((attribute) => ({ attribute, view: undefined }))
  return [...listed, ...rest]
}

interface FieldWithReferenceProps extends OrderedField {
  readonly mayWrite: boolean
  readonly reference: Reference | null
}

function FieldWithReference({ attribute, view, mayWrite, reference }: FieldWithReferenceProps) {
  const isCompared = reference !== null && attribute.localized
  const span = isCompared ? 7 : reference ? 12 : (view?.width ?? (fieldType(attribute.type).isWide ? 12 : 6))
  return (
    <>
      <div style={spanOf(span)}>
        <FormField path={attribute.name} attribute={attribute} view={view} isReadOnly={!mayWrite} />
      </div>
      {isCompared && (
        <div style={spanOf(5)}>
          <ReferenceValue attribute={attribute} reference={reference} mayWrite={mayWrite} />
        </div>
      )}
    </>
  )
}

/** How many of the twelve columns a field takes; on a phone it takes all. */
const spanOf = (span: number): CSSProperties & Record<'--span', number> => ({ '--span': span })

interface ReferenceValueProps {
  readonly attribute: AttributeView
  readonly reference: Reference
  readonly mayWrite: boolean
}

function ReferenceValue({ attribute, reference, mayWrite }: ReferenceValueProps) {
  const { store } = useForm()
  const { values, locale } = reference
  const summary = hasRows(attribute)
    ? texts.fields.entries(rowsAt(values, attribute.name).length)
    : fieldType(attribute.type).summary(values.get(attribute.name), attribute)
  return (
    <div className={styles.reference} lang={locale}>
      <div className={styles.referenceHead}>
        <span>{texts.locales.show(locale)}</span>
        {mayWrite && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => store.setAll(fillChanges(store, attribute.name, reference))}
          >
            {texts.locales.fill(locale)}
          </Button>
        )}
      </div>
      <div dir="auto">{summary || texts.fields.empty}</div>
    </div>
  )
}

/** The changes that give an attribute the value of another locale. */
export function fillChanges(
  store: Pick<ReturnType<typeof useForm>['store'], 'below'>,
  name: string,
  { values }: Reference,
): Map<string, unknown> {
  const removed = [...store.below(name).keys()].map((path): [string, unknown] => [path, undefined])
  return new Map([...removed, ...copyValues(values, name, name)])
}
