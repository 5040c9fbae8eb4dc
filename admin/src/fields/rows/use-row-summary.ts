/** What is inside an entry, in one line: its first values that say something. */
import { useCallback, useSyncExternalStore } from 'react'
import { useForm } from '../../form/hooks.ts'
import { join } from '../../form/path.ts'
import { attributesOf, hasRows } from '../../form/schema.ts'
import { fieldType } from '../index.ts'
import { relatedOf, relatedTitle } from '../relations/related.ts'

const MAX_LENGTH = 120
const MAX_VALUES = 3
/** Beside other values, these say nothing. */
const NOT_SHOWN: ReadonlySet<string> = new Set(['boolean', 'media', 'json', 'password'])

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
    const values: string[] = []
    for (const attribute of attributesOf(schema, component)) {
      if (hasRows(attribute) || values.length === MAX_VALUES) continue
      if (values.length > 0 && NOT_SHOWN.has(attribute.type)) continue
      const value = store.get(join(path, attribute.name))
      const summary =
        attribute.type === 'relation'
          ? relatedOf(value)
              .map((related) => relatedTitle(schema, attribute, related))
              .join(', ')
          : fieldType(attribute.type).summary(value, attribute)
      if (summary !== '') values.push(summary)
    }
    return values.join(' · ').slice(0, MAX_LENGTH)
  })
}
