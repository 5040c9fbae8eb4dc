/** Models of a few content-types, for tests that compare two versions of a model. */
import type { Model } from '../../src/model/model.ts'
import { componentUid, typeUid } from '../../src/project/source.ts'
import { modelOfSchemas } from './schemas.ts'

interface TestType {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly draftAndPublish?: boolean
  readonly localized?: boolean
  readonly indexes?: readonly (readonly string[])[]
  readonly table?: string
}

type Attributes = Readonly<Record<string, unknown>>

/** Builds a model from content-types by singular name and component attributes by `category.name`. */
export function modelOfTypes(
  types: Readonly<Record<string, TestType>>,
  components: Readonly<Record<string, Attributes>> = {},
): Model {
  return modelOfSchemas(
    Object.fromEntries([
      ...Object.entries(types).map(([name, type]) => [typeUid(name, name), typeSchema(name, type)]),
      ...Object.entries(components).map(([uid, attributes]) => {
        const [category = '', name = ''] = uid.split('.')
        return [
          componentUid(category, name),
          { collectionName: uid, info: { displayName: name }, attributes },
        ]
      }),
    ]),
  )
}

const typeSchema = (name: string, type: TestType) => ({
  kind: 'collectionType',
  collectionName: type.table ?? `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: type.draftAndPublish ?? false, indexes: type.indexes ?? [] },
  pluginOptions: { i18n: { localized: type.localized ?? false } },
  attributes: type.attributes,
})
