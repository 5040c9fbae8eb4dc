/** Short, valid example bodies that a reader can start from. */
import type { ContentType } from '../../../model/model.ts'
import { isServed } from '../../../model/privacy.ts'
import { scalarTypes } from '../../../model/scalars/index.ts'
import type { DocumentBuilder } from '../document-builder.ts'

/** The scalars of a type that a caller may write, with valid values. */
export function bodyExample(
  builder: DocumentBuilder,
  type: ContentType,
  action: 'create' | 'update',
): unknown {
  const writable = builder.scope.rule(type.uid, action)?.fields
  const members = [...type.attributes.values()].flatMap((attribute) => {
    if (attribute.kind !== 'scalar' || !isServed(attribute)) return []
    if (writable && !writable.includes(attribute.name)) return []
    const { example } = scalarTypes[attribute.type].documentation
    return [[attribute.name, attribute.default ?? example(attribute, attribute.name)] as const]
  })
  return { data: Object.fromEntries(members) }
}
