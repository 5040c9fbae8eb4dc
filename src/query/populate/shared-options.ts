/** What things of several kinds show alike: the entries of a zone, the documents of a polymorphic relation. */

import { findName, type Subject } from '../find-name.ts'
import type { Param } from '../params.ts'
import { parseBoolean } from '../parse-boolean.ts'
import { type ParseContext, refuseKey } from '../parse-context.ts'
import { NO_POPULATE, type PopulateMap, type PopulateOptions } from './populate-options.ts'

/** Whether a name is one that can be populated in a subject. */
export function isPopulatable(context: ParseContext, subject: Subject, name: string): boolean {
  const found = findName(context, subject, name)
  return found !== null && found.kind !== 'field'
}

/** What the kinds of things in a zone or a polymorphic relation show alike: everything, dotted names, or nothing. */
export function sharedBy(
  context: ParseContext,
  wish: PopulateOptions,
  populate: Param | undefined,
  kinds: readonly Subject[],
  path: readonly string[],
): (kind: Subject) => PopulateMap {
  if (populate !== undefined && populate !== '*' && parseBoolean(populate) !== true)
    return refuseKey(context, 'populate', path)
  if (wish === true || !('names' in wish)) return () => (populate === undefined ? NO_POPULATE : '*')
  const { names } = wish
  requireSomewhere(context, kinds, names, path)
  return (kind) => having(context, kind, names)
}

/** The names of a shared population that a kind of thing has; it simply lacks the others. */
const having = (context: ParseContext, subject: Subject, wanted: ReadonlyMap<string, PopulateOptions>) =>
  new Map([...wanted].filter(([name]) => isPopulatable(context, subject, name)))

function requireSomewhere(
  context: ParseContext,
  subjects: readonly Subject[],
  wanted: ReadonlyMap<string, PopulateOptions>,
  path: readonly string[],
) {
  for (const name of wanted.keys()) {
    if (!subjects.some((subject) => isPopulatable(context, subject, name)))
      refuseKey(context, name, [...path, name])
  }
}
