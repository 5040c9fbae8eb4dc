/** One attribute in the list of a type: its name, type and options in words; dragged by its handle. */
import { SortableItem } from '../../fields/shared/sortable-list.tsx'
import { modelTexts } from '../../texts/model.ts'
import { attributeWords, typeLabel } from '../attribute-words.ts'
import { attributeTypeOf } from '../attributes/attribute-types.ts'
import { originOf } from '../draft/attributes.ts'
import { baseOf, isSame } from '../draft/draft.ts'
import type { Schema } from '../draft/schema.ts'
import { problemsOfAttribute, useModel } from '../model-context.tsx'
import styles from './schema-page.module.css'

interface AttributeRowProps {
  readonly schema: Schema
  readonly name: string
  readonly mayEdit: boolean
  readonly onOpen: () => void
}

export function AttributeRow({ schema, name, mayEdit, onOpen }: AttributeRowProps) {
  const { draft, problems } = useModel()
  const attribute = schema.attributes[name]
  if (!attribute) return null
  const { Icon } = attributeTypeOf(attribute.type)
  const origin = originOf(draft, schema.uid, name)
  const before = origin === undefined ? undefined : baseOf(draft, schema.uid)?.attributes[origin]
  const state =
    before === undefined
      ? modelTexts.new
      : origin !== name
        ? modelTexts.attribute.renamedFrom(origin ?? '')
        : isSame(before, attribute)
          ? null
          : modelTexts.changed
  const [problem] = problemsOfAttribute(problems, schema.uid, name).values()
  return (
    <SortableItem id={name} isDisabled={!mayEdit} className={styles.row}>
      {(handle) => (
        <>
          {handle}
          <Icon className={styles.rowIcon} size={17} stroke={1.5} aria-hidden />
          <button type="button" className={styles.rowButton} onClick={onOpen}>
            <span className={styles.rowName}>{name}</span>
            {state !== null && <span className={styles.state}>{state}</span>}
            <span className={styles.rowType}>{typeLabel(attribute.type)}</span>
            <span className={styles.rowWords}>{attributeWords(draft.schemas, attribute).join(' · ')}</span>
            {problem !== undefined && <span className={styles.rowProblem}>{problem}</span>}
          </button>
        </>
      )}
    </SortableItem>
  )
}
