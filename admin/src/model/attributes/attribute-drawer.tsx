/** Edits one attribute with every option of its type. What the server refuses is shown at the option. */
import { Button, Drawer, Select, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { checkChanges } from '../../api/model.ts'
import { messageOf } from '../../api/request.ts'
import { modelTexts } from '../../texts/model.ts'
import { texts } from '../../texts.ts'
import { typeLabel } from '../attribute-words.ts'
import { putAttribute, removeAttribute } from '../draft/attributes.ts'
import { type AttributeSchema, isType, type Schema } from '../draft/schema.ts'
import { problemsOfAttribute, useModel, useSchemaProblems } from '../model-context.tsx'
import {
  type AttributeTypeName,
  attributeTypeOf,
  attributeTypes,
  COMMON,
  convertAttribute,
  isAttributeType,
  newAttribute,
} from './attribute-types.ts'
import styles from './attributes.module.css'
import type { Option } from './option.ts'
import { OptionField } from './option-field.tsx'

interface AttributeDrawerProps {
  readonly schema: Schema
  /** Null for a new attribute, which has the given type. */
  readonly name: string | null
  readonly type: AttributeTypeName | null
  readonly isReadOnly: boolean
  readonly onClose: () => void
  /** Continues with a further new attribute. */
  readonly onAnother?: () => void
}

export function AttributeDrawer({
  schema,
  name: previous,
  type,
  isReadOnly,
  onClose,
  onAnother,
}: AttributeDrawerProps) {
  const { uid } = schema
  const { draft, change } = useModel()
  const [name, setName] = useState(previous ?? '')
  const [attribute, setAttribute] = useState<AttributeSchema>(
    () => schema.attributes[previous ?? ''] ?? newAttribute(type ?? 'string'),
  )
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [isSubmitted, setIsSubmitted] = useState(false)
  const isTaken = name !== previous && Object.hasOwn(schema.attributes, name)
  const candidate =
    name === '' || isTaken || isReadOnly ? draft : putAttribute(draft, uid, previous, name, attribute)
  const problems = problemsOfAttribute(useSchemaProblems(candidate), uid, name)
  const problemAt = (key: string) => (isSubmitted || touched.has(key) ? problems.get(key) : undefined)
  const set = (key: string) => (next: AttributeSchema) => {
    setAttribute(next)
    setTouched((keys) => new Set([...keys, key]))
  }
  const nameProblem = isTaken
    ? modelTexts.schema.taken(name)
    : name === ''
      ? isSubmitted
        ? modelTexts.schema.required
        : undefined
      : problemAt('')

  const submit = async (continued: boolean) => {
    setIsSubmitted(true)
    if (name === '' || isTaken) return
    try {
      const found = await checkChanges(candidate)
      if (problemsOfAttribute(found, uid, name).size > 0) return
      change((current) => putAttribute(current, uid, previous, name, attribute))
      if (continued) onAnother?.()
      else onClose()
    } catch (error) {
      notifications.show({ color: 'red', message: messageOf(error) })
    }
  }

  const { main, rules } = attributeTypeOf(attribute.type)
  const fields = (options: readonly Option[]) =>
    options
      .filter((option) => isOffered(option, schema))
      .map((option) => (
        <OptionField
          key={`${option.kind} ${option.key}`}
          option={option}
          attribute={attribute}
          schema={schema}
          name={name}
          previous={previous}
          onChange={set(option.key)}
          problemAt={problemAt}
        />
      ))
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={480}
      title={
        previous === null
          ? modelTexts.attribute.newTitle(typeLabel(attribute.type))
          : modelTexts.attribute.title(previous)
      }
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit(false)
        }}
      >
        <fieldset className={styles.form} disabled={isReadOnly}>
          <TextInput
            label={modelTexts.attribute.name}
            description={modelTexts.attribute.nameHint}
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value.trim())
              setTouched((keys) => new Set([...keys, '']))
            }}
            error={nameProblem}
            data-autofocus
          />
          {previous !== null && (
            <TypeSelect
              schema={schema}
              type={attribute.type}
              onChange={(next) => setAttribute((current) => convertAttribute(current, next))}
            />
          )}
          {fields(main)}
          <h3 className={styles.heading}>{modelTexts.attribute.rules}</h3>
          <div className={styles.options}>{fields(rules)}</div>
          <h3 className={styles.heading}>{modelTexts.attribute.more}</h3>
          <div className={styles.options}>{fields(COMMON)}</div>
          {!isReadOnly && (
            <div className={styles.actions}>
              <Button type="submit">
                {previous === null ? modelTexts.attribute.addDone : modelTexts.attribute.done}
              </Button>
              {onAnother && (
                <Button variant="default" onClick={() => void submit(true)}>
                  {modelTexts.attribute.addAnother}
                </Button>
              )}
              {previous !== null && (
                <Button
                  ml="auto"
                  variant="subtle"
                  c="var(--danger)"
                  onClick={() => {
                    change((current) => removeAttribute(current, uid, previous))
                    onClose()
                  }}
                >
                  {modelTexts.attribute.remove}
                </Button>
              )}
            </div>
          )}
        </fieldset>
      </form>
    </Drawer>
  )
}

/** Locales are a matter of content-types that have them. */
const isOffered = ({ kind }: Option, { uid, pluginOptions }: Schema) =>
  kind !== 'localized' || (isType(uid) && pluginOptions?.i18n?.localized === true)

interface TypeSelectProps {
  readonly schema: Schema
  readonly type: string
  readonly onChange: (type: AttributeTypeName) => void
}

function TypeSelect({ schema, type, onChange }: TypeSelectProps) {
  const offered = Object.keys(attributeTypes).filter((each) => each !== 'dynamiczone' || isType(schema.uid))
  return (
    <Select
      label={modelTexts.attribute.type}
      description={modelTexts.attribute.convertHint}
      data={(isAttributeType(type) ? offered : [type, ...offered]).map((value) => ({
        value,
        label: typeLabel(value),
      }))}
      value={type}
      onChange={(value) => value !== null && isAttributeType(value) && onChange(value)}
      searchable
      allowDeselect={false}
    />
  )
}
