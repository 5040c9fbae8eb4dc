/** What is inside an entry, in one line: its first value that says something. */
import { useCallback, useSyncExternalStore } from 'react'
import { useForm } from '../../form/hooks.ts'
import { join } from '../../form/path.ts'
import { attributesOf, hasRows } from '../../form/schema.ts'
import { fieldType } from '../index.ts'
import { relatedOf, relatedTitle } from '../relations/related.ts'

const MAX_LENGTH = 120

export function useRowSummary(path: string, component: string): string {
  const { store, schema } = useForm()
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = attributesOf(schema, component).map(({ name }) =>
        store.subscribe(join(path, name), listener),
      )
      return () => {
        for (const stop of stops) stop()
      }
    },
    [store, schema, path, component],
  )
  return useSyncExternalStore(subscribe, () => {
    for (const attribute of attributesOf(schema, component)) {
      if (hasRows(attribute)) continue
      const value = store.get(join(path, attribute.name))
      const summary =
        attribute.type === 'relation'
          ? relatedOf(value)
              .map((related) => relatedTitle(schema, attribute, related))
              .join(', ')
          : fieldType(attribute.type).summary(value, attribute)
      if (summary !== '') return summary.slice(0, MAX_LENGTH)
    }
    return ''
  })
}
