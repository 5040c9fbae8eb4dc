/** Edits JSON as text. The value changes when the text is valid. */
import { json } from '@codemirror/lang-json'
import { useState } from 'react'
import { isEqual } from '../../form/equal.ts'
import { useForm, useValue } from '../../form/hooks.ts'
import type { FieldProps } from '../field-type.ts'
import { FieldFrame } from '../shared/field-frame.tsx'
import styles from './code.module.css'
import { CodeEditor } from './code-editor.tsx'
import { parseJson } from './parse-json.ts'

const extensions = [json()]

const format = (value: unknown) =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2)

export default function JsonEditor(props: FieldProps) {
  const { path, label, isReadOnly } = props
  const { store } = useForm()
  const [value, setValue] = useValue(path)
  const [typed, setTyped] = useState(() => ({ text: format(value), value }))
  // What is typed stays as it is; a value from elsewhere, such as undo, replaces it.
  const shown = isEqual(typed.value, value) ? typed.text : format(value)
  const change = (text: string) => {
    const parsed = parseJson(text)
    setTyped({ text, value: parsed.isValid ? parsed.value : value })
    if (parsed.isValid) setValue(parsed.value)
    store.setInputError(path, parsed.isValid ? null : parsed.problem)
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
