/** All values that the server refused; each leads to its field. */
import { useEffect, useRef } from 'react'
import type { ContentTypeView } from '../../api/types.ts'
import { inputId } from '../../fields/shared/use-field.ts'
import { useForm, useFormStatus } from '../../form/hooks.ts'
import { lastName, topLevelName } from '../../form/path.ts'
import { texts } from '../../texts.ts'
import styles from './document-editor.module.css'
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
  const jump = (path: string) => {
    openRows.openAround(path)
    // The fields of an entry are in the page after it has opened.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const field = document.getElementById(inputId(path))
        field?.scrollIntoView({ block: 'center' })
        field?.focus()
      }),
    )
  }
  return (
    <section ref={box} className={styles.problems} role="alert">
      <h2>{texts.edit.problems(problemCount)}</h2>
      <ul>
        {[...store.errors()].map(([path, message]) => (
          <li key={path}>
            <button type="button" onClick={() => jump(path)}>
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
