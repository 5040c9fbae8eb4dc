/** What a write needs to know of a content-type: its columns, and the relations on both of their sides. */
import {
  type ContentType,
  type EdgeAttribute,
  type EntriesAttribute,
  holdsEntries,
  type Model,
  ownsEdges,
  type RelationAttribute,
  type ScalarAttribute,
  typeOf,
} from '../../model/model.ts'
import { columnOf, type Layout, reachableComponents, VERSION_COLUMNS } from '../../store/tables/layout.ts'
import { type UniqueAttributes, uniqueAttributesIn } from '../../store/tables/unique-values.ts'

/** The inverse side of a two-way relation: its edges belong to rows of another content-type (or of the same). */
export interface Inverse {
  readonly attribute: RelationAttribute
  readonly relation: number
  readonly owner: ContentType
  readonly ownerAttribute: RelationAttribute
}

export interface Blueprint {
  /**
   * Unique to this blueprint, and so to one model: part of the cache key of every statement that depends on more of the
   * type than its table name.
   */
  readonly key: string
  readonly model: Model
  readonly type: ContentType
  readonly scalars: readonly ScalarAttribute[]
  readonly lists: readonly EntriesAttribute[]
  /** The columns of a row but for its id: those of every version, then scalars, then lists. */
  readonly columns: readonly string[]
  /** Relations and media of the document itself, by attribute; those of its components are not included. */
  readonly owned: ReadonlyMap<string, { readonly attribute: EdgeAttribute; readonly relation: number }>
  /** Every relation whose edges start at rows of this type, including those of its components. */
  readonly relations: readonly number[]
  /** Relations whose targets can have one owner only. */
  readonly exclusive: ReadonlySet<number>
  /** Relations that the targets show too, in an order of their own. */
  readonly twoWay: ReadonlySet<number>
  readonly inverses: ReadonlyMap<string, Inverse>
  /** Unique attributes of the components that documents can contain. */
  readonly uniqueInComponents: UniqueAttributes
  /** Whether some relation or media is required. */
  readonly requiresEdges: boolean
  /** The relation of a component's attribute in this type. */
  relationIn(component: string, attribute: string): number
}

const blueprintsByLayout = new WeakMap<Layout, Map<string, Blueprint>>()
let created = 0

/** The blueprint of a type; created once for each layout. */
export function blueprintOf(layout: Layout, type: ContentType): Blueprint {
  let blueprints = blueprintsByLayout.get(layout)
  if (!blueprints) {
    blueprints = new Map()
    blueprintsByLayout.set(layout, blueprints)
  }
  let blueprint = blueprints.get(type.uid)
  if (blueprint?.type !== type) {
    blueprint = createBlueprint(layout, type)
    blueprints.set(type.uid, blueprint)
  }
  return blueprint
}

const OWN_COLUMNS = Object.values(VERSION_COLUMNS).filter((column) => column !== VERSION_COLUMNS.id)

function createBlueprint(layout: Layout, type: ContentType): Blueprint {
  const { model } = layout
  const attributes = [...type.attributes.values()]
  const owned = attributes.filter(ownsEdges).map((attribute) => ({
    attribute,
    relation: layout.relationId({ type: type.uid, component: null, attribute: attribute.name }),
  }))
  const inComponents = new Map(
    reachableComponents(model, type).flatMap((component) =>
      [...component.attributes.values()]
        .filter(ownsEdges)
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
  const scalars = attributes.filter((attribute) => attribute.kind === 'scalar')
  const lists = attributes.filter(holdsEntries)
  return {
    key: `${type.table} ${++created}`,
    model,
    type,
    scalars,
    lists,
    columns: [...OWN_COLUMNS, ...[...scalars, ...lists].map(({ name }) => columnOf(name))],
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
    uniqueInComponents: uniqueAttributesIn(model, type),
    requiresEdges: [type, ...reachableComponents(model, type)].some((shape) =>
      [...shape.attributes.values()].some((attribute) => ownsEdges(attribute) && attribute.required),
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
