/** Small models for the tests of this room. */
import type { Model } from '../src/model/model.ts'
import { parseModel } from '../src/model/parse.ts'
import { componentUid, typeUid } from '../src/project/source.ts'

interface TestType {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly draftAndPublish?: boolean
  readonly localized?: boolean
  readonly indexes?: readonly (readonly string[])[]
  readonly table?: string
}

/** A model from attributes by type name; components by `category.name`. */
export function modelOf(
  types: Readonly<Record<string, TestType>>,
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
): Model {
  const parsed = parseModel(
    [
      ...Object.entries(types).map(
        ([
          name,
          { attributes, draftAndPublish = false, localized = false, indexes = [], table = `${name}s` },
        ]) => ({
          kind: 'type' as const,
          uid: typeUid(name, name),
          file: `${name}.json`,
          schema: {
            kind: 'collectionType',
            collectionName: table,
            info: { singularName: name, pluralName: `${name}s`, displayName: name },
            options: { draftAndPublish, indexes },
            pluginOptions: { i18n: { localized } },
            attributes,
          },
        }),
      ),
      ...Object.entries(components).map(([uid, attributes]) => {
        const [category = '', name = ''] = uid.split('.')
        return {
          kind: 'component' as const,
          uid: componentUid(category, name),
          file: `${uid}.json`,
          schema: { collectionName: uid, info: { displayName: name }, attributes },
        }
      }),
    ],
    { default: 'en', codes: ['en', 'fr'] },
  )
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.mistakes))
  return parsed.model
}
