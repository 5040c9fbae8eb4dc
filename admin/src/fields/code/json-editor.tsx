/** Edits JSON as text. The value changes when the text is valid. */
import { json } from '@codemirror/lang-json'
import { useState } from 'react'
import { isEqual } from '../../form/equal.ts'
import { useForm, useValue } from '../../form/hooks.ts'
import { texts } from '../../texts.ts'
import type { FieldProps } from '../field-type.ts'
import { FieldFrame } from '../shared/field-frame.tsx'
import styles from './code.module.css'
import { CodeEditor } from './code-editor.tsx'

const extensions = [json()]

const format = (value: unknown) =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2)

type Parsed = { readonly isValid: true; readonly value: unknown } | { readonly isValid: false }

function parse(text: string): Parsed {
  if (text.trim() === '') return { isValid: true, value: null }
  try {
    return { isValid: true, value: JSON.parse(text) }
  } catch {
    return { isValid: false }
  }
}

export default function JsonEditor(props: FieldProps) {
  const { path, label, isReadOnly } = props
  const { store } = useForm()
  const [value, setValue] = useValue(path)
  const [text, setText] = useState(() => format(value))
  const parsed = parse(text)
  // What is typed stays as it is; a value from elsewhere, such as undo, replaces it.
  const shown = parsed.isValid && !isEqual(parsed.value, value) ? format(value) : text
  const change = (next: string) => {
    setText(next)
    const result = parse(next)
    if (result.isValid) setValue(result.value)
    store.setError(path, result.isValid ? null : texts.fields.invalidJson)
  }
  return (
    <FieldFrame {...props}>
      <div className={styles.frame}>
        <CodeEditor
          text={shown}
          onChange={change}
          extensions={extensions}
          label={label}
          isReadOnly={isReadOnly}
        />
      </div>
    </FieldFrame>
  )
}
