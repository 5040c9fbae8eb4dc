/** Related documents in the value of a relation. */
import type { AttributeView, ContentDocument, ContentTypeView } from '../../api/types.ts'
import { titleOf } from '../../content/title.ts'
import type { Schema } from '../../form/schema.ts'
import { texts } from '../../texts.ts'

const isDocument = (value: unknown): value is ContentDocument =>
  typeof value === 'object' && value !== null && 'documentId' in value && typeof value.documentId === 'string'

/** The documents of a relation to one or to many. */
export const relatedOf = (value: unknown): readonly ContentDocument[] =>
  (Array.isArray(value) ? value : [value]).filter(isDocument)

/** The type of a related document: of polymorphic relations, each document names its own. */
export function relatedType(
  schema: Schema,
  attribute: AttributeView,
  document: ContentDocument,
): ContentTypeView | undefined {
  const uid = typeof document.__type === 'string' ? document.__type : (attribute.target ?? '')
  return schema.types.get(uid)
}

export function relatedTitle(schema: Schema, attribute: AttributeView, document: ContentDocument): string {
  const type = relatedType(schema, attribute, document)
  return type ? titleOf(type, document) : texts.list.untitled
}
