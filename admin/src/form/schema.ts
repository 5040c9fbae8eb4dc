/** The attributes of documents and components, as forms need them. */
import type { AttributeView, ComponentView, ContentTypeView } from '../api/types.ts'

export interface Schema {
  readonly types: ReadonlyMap<string, ContentTypeView>
  readonly components: ReadonlyMap<string, ComponentView>
}

export const createSchema = (
  types: readonly ContentTypeView[],
  components: readonly ComponentView[],
): Schema => ({
  types: new Map(types.map((type) => [type.uid, type])),
  components: new Map(components.map((component) => [component.uid, component])),
})

export const isComponent = ({ type }: AttributeView) => type === 'component'
export const isZone = ({ type }: AttributeView) => type === 'dynamiczone'
/** Whether the value is a list of entries, each with a component. */
export const hasRows = (attribute: AttributeView) => isComponent(attribute) || isZone(attribute)

export const attributesOf = (schema: Schema, component: string): readonly AttributeView[] =>
  schema.components.get(component)?.attributes ?? []

/** Relations with several documents. */
export const isToMany = ({ relation = '' }: AttributeView) =>
  ['oneToMany', 'manyToMany', 'morphMany', 'morphToMany'].includes(relation)

/** Relations whose documents can be of any type. */
export const isPolymorphic = ({ relation = '' }: AttributeView) =>
  relation === 'morphToOne' || relation === 'morphToMany'
