/** Which relations can refer to documents of a content-type, among those that a caller may see. */
import { type ContentType, componentOf, typeOf } from '../model/model.ts'
import { isServed } from '../model/privacy.ts'
import { ownedRelations, type RelationKey } from '../store/tables/layout.ts'
import type { ParseContext } from './parse-context.ts'

/** Leaves out types of which the caller sees only some documents or attributes: even their number would reveal something. */
export function visibleReferrers(
  { model, scope, status }: ParseContext,
  target: ContentType,
): readonly RelationKey[] {
  const areDraftsHidden = (type: string) =>
    status === 'draft' && typeOf(model, type).draftAndPublish && !scope.may(type, 'readDrafts')
  return ownedRelations(model).filter(({ type, component, attribute: name }) => {
    const shape = component === null ? typeOf(model, type) : componentOf(model, component)
    const attribute = shape.attributes.get(name)
    return (
      attribute?.kind === 'relation' &&
      (attribute.target === null || attribute.target === target.uid) &&
      isServed(attribute) &&
      scope.may(type, 'find') &&
      !areDraftsHidden(type) &&
      scope.rule(type, 'find') === null
    )
  })
}
