/** Parses the parameter `unused` of lists of files: only those that no document uses. */
import { errors } from '../../errors.ts'
import { type ContentType, componentOf, FILE, type Model, typeOf } from '../../model/model.ts'
import type { Condition } from '../../plan/query-tree.ts'
import { ownedRelations } from '../../store/tables/layout.ts'
import type { ParamObject } from '../params.ts'
import { parseBoolean } from '../parse-boolean.ts'
import type { Scope } from '../scope.ts'

/**
 * Documents that the caller may not read count too: a file that they use must not look as if it could be deleted. The
 * parameter therefore requires permission to delete files.
 */
export function parseUnused(
  type: ContentType,
  { unused }: ParamObject,
  model: Model,
  scope: Scope,
): Condition | null {
  if (type.uid !== FILE || unused === undefined || unused === '') return null
  const isRequested = parseBoolean(unused)
  if (isRequested === null) throw errors.invalidParameter('unused', null, 'expected true or false')
  if (!scope.may(FILE, 'delete')) throw errors.forbidden()
  const condition: Condition = { kind: 'unattached', through: mediaRelations(model) }
  return isRequested ? condition : { kind: 'not', of: condition }
}

const mediaRelations = (model: Model) =>
  ownedRelations(model).filter(({ type, component, attribute }) => {
    const shape = component === null ? typeOf(model, type) : componentOf(model, component)
    return shape.attributes.get(attribute)?.kind === 'media'
  })
