/** The name of a document, from the main field of its type. */
import type { ContentTypeView } from '../api/types.ts'
import { texts } from '../texts.ts'

type Titled = Readonly<Record<string, unknown>>

export function titleOf({ view }: Pick<ContentTypeView, 'view'>, document: Titled): string {
  const value = document[view.mainField]
  if (typeof value === 'string' && value.trim() !== '') return value
  return typeof value === 'number' ? String(value) : texts.list.untitled
}
