/** Two versions of a document, field by field: the person chooses what to keep. */
import { Button, Group, Modal, Radio } from '@mantine/core'
import { useMemo, useState } from 'react'
import { nameOf, type VersionedDocument } from '../../api/content/content.ts'
import type { AttributeView, ContentTypeView } from '../../api/types.ts'
import { fieldType } from '../../fields/index.ts'
import { relatedOf, relatedTitle } from '../../fields/relations/related.ts'
import { conflictingAttributes, entryLines, mergedChanges, type Versions } from '../../form/conflict.ts'
import { useForm } from '../../form/hooks.ts'
import { hasRows, type Schema } from '../../form/schema.ts'
import type { Values } from '../../form/store.ts'
import { rowsAt } from '../../form/values/document-values.ts'
import { texts } from '../../texts.ts'
import { timeAgo } from '../dates.ts'
import styles from './conflict-dialog.module.css'
import { labelFromName } from './form/labels.ts'
import type { Editor } from './use-editor.ts'
import { versionsOf } from './versions.ts'

interface ConflictDialogProps {
  readonly editor: Editor
  readonly type: ContentTypeView
}

export function ConflictDialog({ editor, type }: ConflictDialogProps) {
  const { conflict, setConflict } = editor
  return (
    <Modal
      opened={conflict !== null}
      onClose={() => setConflict(null)}
      title={texts.conflict.title}
      size="xl"
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {conflict && <Choices editor={editor} type={type} theirs={conflict} />}
    </Modal>
  )
}

function Choices({ editor, type, theirs }: ConflictDialogProps & { readonly theirs: VersionedDocument }) {
  const { schema, store } = useForm()
  const versions = useMemo(
    () => versionsOf(schema, type, store, theirs.document),
    [schema, type, theirs, store],
  )
  const conflicting = conflictingAttributes(schema, type.attributes, versions)
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const keep = () => {
    store.rebase(versions.theirs, mergedChanges(schema, type.attributes, versions, taken))
    editor.current.current = theirs
    editor.setVersion(theirs)
    editor.setConflict(null)
    void editor.save()
  }
  const { updatedBy } = theirs.document.__meta ?? {}
  const author = updatedBy ? nameOf(updatedBy) : texts.conflict.theirs
  return (
    <>
      <p>{conflicting.length > 0 ? texts.conflict.text : texts.conflict.textNoOverlap}</p>
      {conflicting.length > 0 && (
        <table className={styles.versions}>
          <thead>
            <tr>
              <th scope="col">{texts.list.attribute}</th>
              <th scope="col">{texts.conflict.mine}</th>
              <th scope="col">
                {texts.conflict.by(author, timeAgo(theirs.document.updatedAt ?? new Date().toISOString()))}
              </th>
            </tr>
          </thead>
          <tbody>
            {conflicting.map((attribute) => (
              <tr key={attribute.name}>
                <th scope="row">{labelOf(type, attribute)}</th>
                {(['mine', 'theirs'] as const).map((side) => (
                  <td key={side}>
                    <Radio
                      name={`keep-${attribute.name}`}
                      checked={taken.has(attribute.name) === (side === 'theirs')}
                      onChange={() =>
                        setTaken(
                          new Set(
                            side === 'theirs'
                              ? [...taken, attribute.name]
                              : [...taken].filter((name) => name !== attribute.name),
                          ),
                        )
                      }
                      label={
                        hasRows(attribute) ? (
                          <Entries attribute={attribute} versions={versions} side={side} />
                        ) : (
                          summaryOf(schema, attribute, versions[side].get(attribute.name)) ||
                          texts.conflict.empty
                        )
                      }
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Group justify="flex-end" gap={8} mt={20}>
        <Button onClick={keep}>{texts.conflict.keep}</Button>
      </Group>
    </>
  )
}

const labelOf = ({ view }: ContentTypeView, { name }: AttributeView) =>
  view.fields.find((field) => field.name === name)?.label ?? labelFromName(name)

/** How many values inside entries are shown. */
const SHOWN_LINES = 12

interface EntriesProps {
  readonly attribute: AttributeView
  readonly versions: Versions
  readonly side: 'mine' | 'theirs'
}

/** The number of entries, and the values inside them that the other version does not have. */
function Entries({ attribute, versions, side }: EntriesProps) {
  const { schema } = useForm()
  const describe = (inner: AttributeView, value: unknown) => {
    const summary = summaryOf(schema, inner, value)
    return summary === '' ? '' : `${labelFromName(inner.name)}: ${summary}`
  }
  const linesOf = (values: Values) => entryLines(schema, attribute, values, describe)
  const others = new Set(linesOf(versions[side === 'mine' ? 'theirs' : 'mine']))
  const lines = linesOf(versions[side]).filter((line) => !others.has(line))
  return (
    <>
      {texts.fields.entries(rowsAt(versions[side], attribute.name).length)}
      {lines.slice(0, SHOWN_LINES).map((line) => (
        <span key={line} className={styles.line}>
          {line}
        </span>
      ))}
      {lines.length > SHOWN_LINES && (
        <span className={styles.line}>{texts.edit.moreUses(lines.length - SHOWN_LINES)}</span>
      )}
    </>
  )
}

const summaryOf = (schema: Schema, attribute: AttributeView, value: unknown): string =>
  attribute.type === 'relation'
    ? relatedOf(value)
        .map((related) => relatedTitle(schema, attribute, related))
        .join(', ')
    : fieldType(attribute.type).summary(value, attribute)
