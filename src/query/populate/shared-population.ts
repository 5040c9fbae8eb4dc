/** What things of several kinds show alike: the entries of a zone, the documents of a polymorphic relation. */

import { booleanWord } from '../boolean-word.ts'
import { find, type Subject } from '../names.ts'
import type { Param } from '../params.ts'
import { type Reading, refuse } from '../parse-context.ts'
import { type Asked, NOTHING, type Wish } from './populate-options.ts'

/** Whether a name is one that can be populated in a subject. */
export function isPopulatable(reading: Reading, subject: Subject, name: string): boolean {
  const found = find(reading, subject, name)
  return found !== null && found.kind !== 'field'
}

/** What the kinds of things in a zone or a polymorphic relation show alike: everything, dotted names, or nothing. */
export function sharedBy(
  reading: Reading,
  wish: Wish,
  populate: Param | undefined,
  kinds: readonly Subject[],
  path: readonly string[],
): (kind: Subject) => Asked {
  if (populate !== undefined && populate !== '*' && booleanWord(populate) !== true)
    return refuse(reading, 'populate', path)
  if (wish === true || !('names' in wish)) return () => (populate === undefined ? NOTHING : '*')
  const { names } = wish
  requireSomewhere(reading, kinds, names, path)
  return (kind) => having(reading, kind, names)
}

/** The names of a shared population that a kind of thing has; it simply lacks the others. */
const having = (reading: Reading, subject: Subject, wanted: ReadonlyMap<string, Wish>) =>
  new Map([...wanted].filter(([name]) => isPopulatable(reading, subject, name)))

function requireSomewhere(
  reading: Reading,
  subjects: readonly Subject[],
  wanted: ReadonlyMap<string, Wish>,
  path: readonly string[],
) {
  for (const name of wanted.keys()) {
    if (!subjects.some((subject) => isPopulatable(reading, subject, name)))
      refuse(reading, name, [...path, name])
  }
}
