/** Populate options that apply to several types: to the entries of a zone, or the documents of a polymorphic relation. */
import { findName, type Subject } from '../find-name.ts'
import type { Param } from '../params.ts'
import { parseBoolean } from '../parse-boolean.ts'
import { type ParseContext, refuseKey } from '../parse-context.ts'
import { NO_POPULATE, type PopulateMap, type PopulateOptions } from './populate-options.ts'

export function isPopulatable(context: ParseContext, subject: Subject, name: string): boolean {
  const found = findName(context, subject, name)
  return found !== null && found.kind !== 'field'
}

/** What each of the subjects populates: everything, those of the dotted names that it has, or nothing. */
export function sharedPopulate(
  context: ParseContext,
  options: PopulateOptions,
  populate: Param | undefined,
  subjects: readonly Subject[],
  path: readonly string[],
): (subject: Subject) => PopulateMap {
  const isEmpty = populate === undefined || populate === ''
  if (!isEmpty && populate !== '*' && parseBoolean(populate) !== true)
    return refuseKey(context, 'populate', path)
  if (options === true || !('names' in options)) return () => (isEmpty ? NO_POPULATE : '*')
  const { names } = options
  for (const name of names.keys()) {
    if (!subjects.some((subject) => isPopulatable(context, subject, name)))
      refuseKey(context, name, [...path, name])
  }
  return (subject) => new Map([...names].filter(([name]) => isPopulatable(context, subject, name)))
}
