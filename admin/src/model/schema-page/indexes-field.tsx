/** Edits the indexes of a content-type: each is a list of attributes, in the order in which they are compared. */
import { ActionIcon, Button, MultiSelect } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { modelTexts } from '../../texts/model.ts'
import { isScalar } from '../attributes/attribute-types.ts'
import type { Attributes } from '../draft/schema.ts'
import styles from './schema-page.module.css'

type Indexes = readonly (readonly string[])[]

interface IndexesFieldProps {
  readonly attributes: Attributes
  readonly value: Indexes
  readonly onChange: (indexes: Indexes) => void
  readonly problem: string | undefined
}

export function IndexesField({ attributes, value, onChange, problem }: IndexesFieldProps) {
  const { schema: words } = modelTexts
  const names = Object.entries(attributes).flatMap(([name, { type }]) => (isScalar(type) ? [name] : []))
  const replace = (at: number, index: readonly string[]) =>
    onChange(value.map((each, position) => (position === at ? index : each)))
  if (names.length === 0 && value.length === 0) return null
  return (
    <fieldset className={styles.indexes}>
      <legend>{words.indexes}</legend>
      <p className={styles.hint}>{words.indexesHint}</p>
      {value.map((index, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: indexes have no identity but their place.
        <div key={at} className={styles.index}>
          <MultiSelect
            aria-label={words.index(at + 1)}
            placeholder={index.length === 0 ? words.indexAttributes : ''}
            data={names}
            value={[...index]}
            onChange={(next) => replace(at, next)}
            searchable
          />
          <ActionIcon
            aria-label={words.removeIndex(at + 1)}
            onClick={() => onChange(value.filter((_, position) => position !== at))}
          >
            <IconX size={16} stroke={1.5} />
          </ActionIcon>
        </div>
      ))}
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} stroke={1.75} />}
        onClick={() => onChange([...value, []])}
      >
        {words.addIndex}
      </Button>
    </fieldset>
  )
}
