/** Names in permissions that the model does not have: whoever grants those means something else. */
import type { FieldProblem } from '../errors.ts'
import type { Model } from '../model/model.ts'
import { didYouMean } from '../project/suggest.ts'
import type { Permissions } from './grants.ts'

/** Every unknown content-type and attribute, in words. Actions of plugins belong to no content-type. */
export const unknownNames = ({ types }: Model, permissions: Permissions): FieldProblem[] =>
  Object.entries(permissions).flatMap(([uid, list]) => {
    const path = ['permissions', uid]
    const type = types.get(uid)
    if (!type && !uid.startsWith('plugin::'))
      return [{ path, message: `There is no content-type ${uid}${didYouMean(uid, types.keys())}` }]
    const fields = list.flatMap((permission) =>
      typeof permission === 'object' && Array.isArray(permission?.fields) ? permission.fields : [],
    )
    return fields
      .filter((field) => type && !type.attributes.has(field))
      .map((field) => ({
        path,
        message: `${uid} has no attribute ${field}${didYouMean(field, type?.attributes.keys() ?? [])}`,
      }))
  })
