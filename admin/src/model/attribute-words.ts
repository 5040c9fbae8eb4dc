/** What an attribute is, in a few words. */
import { modelTexts } from '../texts/model.ts'
import { isAttributeType } from './attributes/attribute-types.ts'
import { type AttributeSchema, nameOf, type Schema } from './draft/schema.ts'

type Schemas = ReadonlyMap<string, Schema>

export const typeLabel = (type: string): string => (isAttributeType(type) ? modelTexts.types[type][0] : type)

const nameOfUid = (schemas: Schemas, uid: string | undefined) => {
  const schema = schemas.get(uid ?? '')
  return schema ? nameOf(schema) : (uid ?? '')
}

/** The options that matter at a glance. */
export function attributeWords(schemas: Schemas, attribute: AttributeSchema): readonly string[] {
  const { type, relation, target, component, components = [], min, max, minLength, maxLength } = attribute
  const { summary, relation: relationTexts } = modelTexts
  const kind = Object.entries(relationTexts.kinds).find(([name]) => name === relation)?.[1]
  const words: readonly (string | false)[] = [
    type === 'relation' && `${kind ?? ''}${target === undefined ? '' : `: ${nameOfUid(schemas, target)}`}`,
    component !== undefined && nameOfUid(schemas, component),
    components.length > 0 && components.map((uid) => nameOfUid(schemas, uid)).join(', '),
    (attribute.enum ?? []).join(', '),
    (attribute.repeatable === true || attribute.multiple === true) && summary.list,
    attribute.required === true && summary.required,
    attribute.unique === true && summary.unique,
    attribute.private === true && summary.private,
    attribute.pluginOptions?.i18n?.localized === true && summary.localized,
    (min !== undefined || max !== undefined) && summary.range(String(min ?? ''), String(max ?? '')),
    (minLength !== undefined || maxLength !== undefined) &&
      summary.length(String(minLength ?? ''), String(maxLength ?? '')),
    attribute.default !== undefined && summary.default(JSON.stringify(attribute.default)),
    attribute.regex !== undefined && `/${attribute.regex}/`,
  ]
  return words.flatMap((word) => word || [])
}
