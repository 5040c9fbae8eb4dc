/** Turns a violated unique index into a validation error of the attribute. */
import { errors } from '../errors.ts'
import type { Model } from '../model/model.ts'
import { UniqueViolation } from '../store/errors.ts'
import { columnOf } from '../store/tables/layout.ts'
import { UNIQUE_VALUES } from '../store/tables/unique-values.ts'

/** Follows the path of a value that another document has. */
export const NOT_UNIQUE = 'must be unique: another document has this value'

/** A ValidationError for a violated unique attribute; any other error unchanged. */
export function validationErrorOf(error: unknown, model: Model): unknown {
  if (!(error instanceof UniqueViolation)) return error
  // Of an entry in another locale; those in the locale of the write are named by their path.
  if (error.table === UNIQUE_VALUES)
    return errors.invalidValues([{ path: [], message: `A value in a component ${NOT_UNIQUE}` }])
  const type = [...model.types.values()].find(({ table }) => table === error.table)
  const attribute = [...(type?.attributes.keys() ?? [])].find((name) =>
    error.columns.includes(columnOf(name)),
  )
  if (attribute === undefined) return error
  return errors.invalidValues([{ path: [attribute], message: `${attribute} ${NOT_UNIQUE}` }])
}
