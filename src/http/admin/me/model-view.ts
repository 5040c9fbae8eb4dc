/** The model as one person may see it: content-types with the permitted actions and attributes. Pure. */

import { type StoredTypeView, typeViewOf } from '../../../access/team/type-view.ts'
import type { Attribute, Component, ContentType, Model, Shape } from '../../../model/model.ts'
import { segmentOf } from '../../../model/naming.ts'
import { isSecret, isServed } from '../../../model/privacy.ts'
import type { SchemaSource } from '../../../project/source.ts'
import { isObject, type Values } from '../../../project/values.ts'
import type { Scope } from '../../../query/scope.ts'
import { reachableComponents } from '../../../store/tables/layout.ts'

export interface ModelSource {
  readonly model: Model
  /** The schema files, whose JSON of an attribute is shown as it is. */
  readonly sources: readonly SchemaSource[]
  /** What admins configured, by uid. */
  readonly views: ReadonlyMap<string, StoredTypeView>
  /** What the configuration enables. */
  readonly features: { readonly history: boolean; readonly schedules: boolean }
}

const ACTIONS = ['find', 'create', 'update', 'delete', 'publish', 'unpublish', 'discard'] as const

const VERSION_ACTIONS: ReadonlySet<string> = new Set(['publish', 'unpublish', 'discard'])

/** The content-types that a person may do something with, and the components in them. */
export function modelView({ model, sources, views, features }: ModelSource, scope: Scope) {
  const types = [...model.endpoints.values()].filter(({ uid }) =>
    ACTIONS.some((action) => scope.may(uid, action)),
  )
  const components = new Map(
    types.flatMap((type) => reachableComponents(model, type).map((one) => [one.uid, one] as const)),
  )
  return {
    contentTypes: types.map((type) =>
      typeJson(type, scope, { schema: schemaOf(sources, type), view: views.get(type.uid), features }),
    ),
    components: [...components.values()].map((one) => componentJson(one, scope, schemaOf(sources, one))),
  }
}

const property = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined)

const schemaOf = (sources: readonly SchemaSource[], { uid }: Shape): unknown =>
  sources.find((source) => source.uid === uid && source.kind !== 'extension')?.schema

interface TypeContext {
  readonly schema: unknown
  readonly view: StoredTypeView | undefined
  readonly features: ModelSource['features']
}

function typeJson(type: ContentType, scope: Scope, { schema, view, features }: TypeContext) {
  const { uid, kind, singular, plural, displayName, description, draftAndPublish, localized } = type
  const renamedFrom = property(property(schema, 'info'), 'renamedFrom')
  const isFindable = isCovered(scope, uid, 'find')
  const may = (action: string) => scope.may(uid, action) && (draftAndPublish || !VERSION_ACTIONS.has(action))
  return {
    ...{ uid, kind, singularName: singular, pluralName: plural, path: segmentOf(type) },
    ...{ displayName, description, draftAndPublish, localized },
    ...(typeof renamedFrom === 'string' && { renamedFrom }),
    actions: {
      ...Object.fromEntries(ACTIONS.map((action) => [action, may(action)])),
      readHistory: features.history && type.history && may('readHistory'),
      schedule: features.schedules && (may('publish') || may('unpublish')),
    },
    own: ACTIONS.some((action) => scope.rule(uid, action)?.filters !== undefined),
    attributes: attributesJson(type, scope, schema, {
      isReadable: ({ name }) => isFindable(name),
      isCreatable: isCovered(scope, uid, 'create'),
      isUpdatable: isCovered(scope, uid, 'update'),
    }),
    view: typeViewOf(type, view),
  }
}

const componentJson = (component: Component, scope: Scope, schema: unknown) => ({
  uid: component.uid,
  category: component.category,
  displayName: component.displayName,
  icon: property(property(schema, 'info'), 'icon') ?? null,
  // The permissions of a type cover its components as a whole.
  attributes: attributesJson(component, scope, schema, ANYTHING),
})

type IsCovered = (attribute: string) => boolean

/** Whether a permission covers an attribute. */
function isCovered(scope: Scope, uid: string, action: string): IsCovered {
  const fields = scope.rule(uid, action)?.fields
  const isPermitted = scope.may(uid, action)
  return (name) => isPermitted && (!fields || fields.includes(name))
}

const always: IsCovered = () => true
/** Private attributes of entries are not read. */
const ANYTHING = { isReadable: isServed, isCreatable: always, isUpdatable: always }

function attributesJson(
  { attributes }: Shape,
  scope: Scope,
  schema: unknown,
  covers: {
    readonly isReadable: (attribute: Attribute) => boolean
    readonly isCreatable: IsCovered
    readonly isUpdatable: IsCovered
  },
): Values[] {
  return [...attributes.values()].flatMap((attribute) => {
    const { name, localized } = attribute
    const isVisible = isTargetVisible(attribute, scope)
    const isWritable = isVisible && attribute.writable !== false
    const view = {
      localized,
      readable: isVisible && !isSecret(attribute) && covers.isReadable(attribute),
      writable: {
        create: isWritable && covers.isCreatable(name),
        update: isWritable && covers.isUpdatable(name),
      },
    }
    if (!view.readable && !view.writable.create && !view.writable.update) return []
    // A custom field is edited as the type that it is stored as.
    const type = attribute.kind === 'scalar' && { type: attribute.type }
    return [{ ...Object(property(property(schema, 'attributes'), name)), name, ...type, ...view }]
  })
}

/** A relation to documents that a person may not find is neither read nor written. */
const isTargetVisible = (attribute: Attribute, scope: Scope) =>
  attribute.kind !== 'relation' || attribute.target === null || scope.may(attribute.target, 'find')
