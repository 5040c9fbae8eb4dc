/**
 * Turns the links of Strapi, which connect rows, into edges, which connect a row with a document. Links to the draft and
 * to the published version of one document become one edge.
 */
import { type Attribute, type EdgeAttribute, FILE, type Model } from '../../model/model.ts'
import { ownedRelations, relationKeyText } from '../../store/tables/layout.ts'
import type { LinkEnd } from './archive/parts.ts'
import { FOLDER, I18N_LOCALE } from './overview.ts'
import type { Report } from './report.ts'
import { OF_STRAPI } from './schemas.ts'
import type { EntryReference, Scratch } from './scratch.ts'

/** Links that hold no relation of the project: folders are paths here, and creators are team accounts. */
const isIgnored = ({ type, field }: LinkEnd) =>
  type === FOLDER ||
  type === I18N_LOCALE ||
  field === 'createdBy' ||
  field === 'updatedBy' ||
  (type === FILE && field === 'folder')

/** A link with the owner of the edge on the left. */
interface OwnedLink {
  readonly attribute: EdgeAttribute
  readonly owner: LinkEnd
  readonly target: LinkEnd
  readonly position: number | null
  readonly inversePosition: number | null
}

/** Stages an edge for every link whose two ends are imported; the others are counted as left out. */
export function resolveLinks(scratch: Scratch, model: Model, report: Report, step: () => void): void {
  const numbers = new Map(ownedRelations(model).map((key, index) => [relationKeyText(key), index]))
  let order = 0
  for (const link of scratch.links()) {
    step()
    if (isIgnored(link.left)) continue
    report.relations.read++
    const owned = ownedLink(model, link.left, link.right)
    if (typeof owned === 'string') {
      report.add(`link of ${nameOf(link.left)}`, owned)
      continue
    }
    const owner = ownerOf(scratch, model, owned.owner)
    const target = scratch.findRow(owned.target.type, owned.target.ref)
    if (!owner || !target) {
      const name = `link of ${owned.owner.type}.${owned.attribute.name}`
      const isOrphan = !owner && model.components.has(owned.owner.type)
      report.add(
        name,
        isOrphan
          ? 'it starts at a component that belongs to no document'
          : owner
            ? 'it leads to a row that is missing'
            : 'it starts at a row that is missing',
      )
      continue
    }
    const relation = numbers.get(
      relationKeyText({
        type: owner.type,
        component: model.components.has(owned.owner.type) ? owned.owner.type : null,
        attribute: owned.attribute.name,
      }),
    )
    if (relation === undefined) {
      report.add(`link of ${nameOf(link.left)}`, 'the project does not have the attribute')
      continue
    }
    order++
    const isNew = scratch.addEdge({
      relation,
      source: owner.source,
      entry: owner.entry,
      target,
      targetType: owned.attribute.kind === 'relation' && owned.attribute.morph ? owned.target.type : null,
      position: owned.position ?? order,
      inversePosition: owned.inversePosition ?? order,
      link: order,
    })
    if (!isNew) report.relations.duplicates++
  }
  for (const { key, attribute } of toOneRelations(model)) {
    const dropped = scratch.dropFurtherTargets(numbers.get(relationKeyText(key)) ?? -1)
    if (dropped > 0)
      report.add(`link of ${key.component ?? key.type}.${attribute.name}`, 'the relation holds one', dropped)
  }
  report.relations.imported = scratch.countEdges()
}

const toOneRelations = (model: Model) =>
  ownedRelations(model).flatMap((key) => {
    const attribute = attributeOf(model, { type: key.component ?? key.type, field: key.attribute })
    const holdsOne =
      (attribute?.kind === 'relation' && !attribute.many) ||
      (attribute?.kind === 'media' && !attribute.multiple)
    return attribute && holdsOne ? [{ key, attribute }] : []
  })

const nameOf = ({ type, field }: LinkEnd) => (field === null ? type : `${type}.${field}`)

/** The link from its owning side, or why it cannot be imported. */
function ownedLink(model: Model, left: LinkEnd, right: LinkEnd): OwnedLink | string {
  // Media are stored from the side of the file, in the order of the attribute that has them.
  if (left.type === FILE && left.field === 'related') {
    const attribute = attributeOf(model, right)
    return attribute?.kind === 'media'
      ? { attribute, owner: right, target: left, position: right.pos, inversePosition: null }
      : `the project does not have the media attribute ${nameOf(right)}`
  }
  const attribute = attributeOf(model, left)
  if (attribute?.kind !== 'relation')
    return OF_STRAPI.test(left.type) || OF_STRAPI.test(right.type)
      ? 'it belongs to a content-type that only Strapi has'
      : 'the project does not have the attribute'
  if (attribute.side === 'owner')
    return {
      attribute,
      owner: left,
      target: right,
      // The order of a polymorphic relation is that of its other side.
      position: attribute.morph ? null : left.pos,
      inversePosition: right.pos,
    }
  const other = attributeOf(model, { ...right, field: attribute.other })
  return other?.kind === 'relation' && other.side === 'owner'
    ? { attribute: other, owner: right, target: left, position: right.pos, inversePosition: left.pos }
    : 'the project does not have the attribute'
}

const attributeOf = (model: Model, { type, field }: Pick<LinkEnd, 'type' | 'field'>): Attribute | undefined =>
  (model.types.get(type) ?? model.components.get(type))?.attributes.get(field ?? '')

function ownerOf(scratch: Scratch, model: Model, { type, ref }: LinkEnd): EntryReference | null {
  if (!model.components.has(type)) return scratch.findRow(type, ref) ? { type, source: ref, entry: 0 } : null
  const entry = scratch.findEntry(type, ref)
  // The row of the component may have been left out.
  return entry && scratch.findRow(entry.type, entry.source) ? entry : null
}
