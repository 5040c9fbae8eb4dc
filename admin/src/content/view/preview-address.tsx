/** The address of the page that shows a document, with placeholders that are replaced for each one. */
import { TextInput, UnstyledButton } from '@mantine/core'
import { useRef } from 'react'
import type { ContentTypeView } from '../../api/types.ts'
import { viewTexts as words } from '../../texts/content/view.ts'
import styles from './view.module.css'

interface PreviewAddressProps {
  readonly type: ContentTypeView
  readonly value: string
  readonly onChange: (value: string) => void
  readonly problem: string | undefined
}

/** The attributes that addresses of pages are made of. */
const IN_ADDRESSES = new Set(['string', 'uid', 'enumeration', 'integer', 'date'])

export function PreviewAddress({ type, value, onChange, problem }: PreviewAddressProps) {
  const input = useRef<HTMLInputElement>(null)
  const names = [
    'documentId',
    ...(type.localized ? ['locale'] : []),
    ...(type.draftAndPublish ? ['status'] : []),
    ...type.attributes
      .filter((attribute) => IN_ADDRESSES.has(attribute.type) && attribute.readable !== false)
      .map(({ name }) => name),
  ]
  const insert = (name: string) => {
    const at = input.current?.selectionStart ?? value.length
    onChange(`${value.slice(0, at)}{${name}}${value.slice(at)}`)
    input.current?.focus()
  }
  return (
    <>
      <TextInput
        ref={input}
        label={words.previewUrl}
        description={words.previewUrlHint}
        placeholder={words.previewPlaceholder}
        value={value}
        maxLength={2_000}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={problem}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autoCapitalize="off"
        spellCheck={false}
      />
      <p className={styles.hint}>{words.placeholders}</p>
      <div className={styles.placeholders}>
        {names.map((name) => (
          <UnstyledButton
            key={name}
            className={styles.placeholder}
            aria-label={words.insert(name)}
            onClick={() => insert(name)}
          >
            {`{${name}}`}
          </UnstyledButton>
        ))}
      </div>
    </>
  )
}
