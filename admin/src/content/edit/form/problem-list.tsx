/** All values that the server refused; each leads to its field. */
import { useEffect, useRef } from 'react'
import type { ContentTypeView } from '../../../api/types.ts'
import { useForm, useFormStatus } from '../../../form/hooks.ts'
import { lastName, topLevelName } from '../../../form/path.ts'
import { texts } from '../../../texts.ts'
import styles from '../document-editor.module.css'
import { jumpToField } from './jump-to-field.ts'
import { labelFromName } from './labels.ts'

export function ProblemList({ type }: { readonly type: ContentTypeView }) {
  const { store, openRows } = useForm()
  const { problemCount } = useFormStatus()
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (problemCount > 1) box.current?.scrollIntoView({ block: 'nearest' })
  }, [problemCount])
  if (problemCount === 0) return null
  const labels = new Map(type.view.fields.map(({ name, label }) => [name, label]))
  return (
    <section ref={box} className={styles.problems} role="alert">
      <h2>{texts.edit.problems(problemCount)}</h2>
      <ul>
        {[...store.errors()].map(([path, message]) => (
          <li key={path}>
            <button type="button" onClick={() => jumpToField(openRows, path)}>
              {path.includes('/')
                ? `${labels.get(topLevelName(path)) ?? labelFromName(topLevelName(path))} › ${labelFromName(lastName(path))}: `
                : ''}
              {message}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
