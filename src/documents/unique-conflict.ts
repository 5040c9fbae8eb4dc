/** A unique index that was broken, told as the wrong value that it is. */
import { errors } from '../errors.ts'
import type { Model } from '../model/model.ts'
import { UniqueViolation } from '../store/errors.ts'
import { columnOf } from '../store/tables/layout.ts'

/** What is wrong with such a value, after its name. */
export const TAKEN = 'must be unique, and another document has this value'

/** The error to answer with: a ValidationError for a value that another document has, any other error as it is. */
export function refusalOf(error: unknown, model: Model): unknown {
  if (!(error instanceof UniqueViolation)) return error
  const type = [...model.types.values()].find(({ table }) => table === error.table)
  const attribute = [...(type?.attributes.keys() ?? [])].find((name) =>
    error.columns.includes(columnOf(name)),
  )
  if (attribute === undefined) return error
  return errors.invalidValues([{ path: [attribute], message: `${attribute} ${TAKEN}` }])
}
