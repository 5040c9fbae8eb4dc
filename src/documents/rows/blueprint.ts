/** What writing needs to know of a content-type: its columns, the relations it owns and those it only sees. */
import {
  type ComponentAttribute,
  type ContentType,
  type MediaAttribute,
  type Model,
  type RelationAttribute,
  type ScalarAttribute,
  typeOf,
  type ZoneAttribute,
} from '../../model/model.ts'
import { type Layout, reachableComponents } from '../../store/tables/layout.ts'

export type EdgeAttribute = RelationAttribute | MediaAttribute
export type ListAttribute = ComponentAttribute | ZoneAttribute

/** The inverse side of a two-way relation: its edges belong to rows of another content-type (or of the same). */
export interface Inverse {
  readonly attribute: RelationAttribute
  readonly relation: number
  readonly owner: ContentType
  readonly ownerAttribute: RelationAttribute
}

export interface Blueprint {
  readonly model: Model
  readonly type: ContentType
  readonly scalars: readonly ScalarAttribute[]
  readonly lists: readonly ListAttribute[]
  /** Relations and media on the document itself, by attribute. */
  readonly owned: ReadonlyMap<string, { readonly attribute: EdgeAttribute; readonly relation: number }>
  /** Every relation whose edges start at rows of this type, those of its components included. */
  readonly relations: readonly number[]
  /** Relations whose targets belong to one owner at a time. */
  readonly exclusive: ReadonlySet<number>
  /** Relations whose targets see them too, in an order of their own. */
  readonly twoWay: ReadonlySet<number>
  readonly inverses: ReadonlyMap<string, Inverse>
  /** Whether publishing checks that some relation or media is set. */
  readonly requiresEdges: boolean
  /** The relation of an attribute of a component inside this type. */
  relationIn(component: string, attribute: string): number
}

const known = new WeakMap<Layout, Map<string, Blueprint>>()

/** The blueprint of a type; made once for each layout. */
export function blueprintOf(layout: Layout, type: ContentType): Blueprint {
  let blueprints = known.get(layout)
  if (!blueprints) {
    blueprints = new Map()
    known.set(layout, blueprints)
  }
  let blueprint = blueprints.get(type.uid)
  if (blueprint?.type !== type) {
    blueprint = makeBlueprint(layout, type)
    blueprints.set(type.uid, blueprint)
  }
  return blueprint
}

const isOwned = (attribute: { readonly kind: string; readonly side?: string }): attribute is EdgeAttribute =>
  attribute.kind === 'media' || (attribute.kind === 'relation' && attribute.side === 'owner')

function makeBlueprint(layout: Layout, type: ContentType): Blueprint {
  const { model } = layout
  const attributes = [...type.attributes.values()]
  const owned = attributes.filter(isOwned).map((attribute) => ({
    attribute,
    relation: layout.relationId({ type: type.uid, component: null, attribute: attribute.name }),
  }))
  const inComponents = new Map(
    reachableComponents(model, type).flatMap((component) =>
      [...component.attributes.values()]
        .filter(isOwned)
        .map(({ name }) => [
          `${component.uid}|${name}`,
          layout.relationId({ type: type.uid, component: component.uid, attribute: name }),
        ]),
    ),
  )
  const relationsOf = (test: (attribute: RelationAttribute) => boolean) =>
    new Set(
      owned.flatMap(({ attribute, relation }) =>
        attribute.kind === 'relation' && test(attribute) ? [relation] : [],
      ),
    )
  return {
    model,
    type,
    scalars: attributes.filter((attribute) => attribute.kind === 'scalar'),
    lists: attributes.filter((attribute) => attribute.kind === 'component' || attribute.kind === 'zone'),
    owned: new Map(owned.map((one) => [one.attribute.name, one])),
    relations: [...owned.map(({ relation }) => relation), ...inComponents.values()],
    exclusive: relationsOf((attribute) => attribute.exclusive),
    twoWay: relationsOf((attribute) => attribute.other !== null || attribute.morph),
    inverses: new Map(
      attributes
        .filter((attribute) => attribute.kind === 'relation')
        .filter((attribute) => attribute.side === 'inverse')
        .map((attribute) => [attribute.name, inverseOf(layout, attribute)]),
    ),
    requiresEdges: [type, ...reachableComponents(model, type)].some((shape) =>
      [...shape.attributes.values()].some((attribute) => isOwned(attribute) && attribute.required),
    ),
    relationIn(component, attribute) {
      const relation = inComponents.get(`${component}|${attribute}`)
      if (relation === undefined) throw new Error(`${component} has no relation ${attribute}`)
      return relation
    },
  }
}

function inverseOf(layout: Layout, attribute: RelationAttribute): Inverse {
  const owner = typeOf(layout.model, attribute.target ?? '')
  const ownerAttribute = owner.attributes.get(attribute.other ?? '')
  if (ownerAttribute?.kind !== 'relation') throw new Error(`${owner.uid} has no relation ${attribute.other}`)
  return {
    attribute,
    owner,
    ownerAttribute,
    relation: layout.relationId({ type: owner.uid, component: null, attribute: ownerAttribute.name }),
  }
}
