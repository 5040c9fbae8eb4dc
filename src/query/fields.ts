/** The `fields` parameter: which scalars an answer shows. `id` and `documentId` are always there. */
import type { Field } from '../plan/tree.ts'
import { allFields, find, placeOf, type Subject, usableNames } from './names.ts'
import { namesIn, type Param } from './params.ts'
import { mistaken, type Reading, refuse } from './parse-context.ts'

/** The fields asked for, in the order of the request; null for all that is served. */
export function parseFields(
  reading: Reading,
  subject: Subject,
  input: Param | undefined,
  path: readonly string[] = [],
): readonly Field[] | null {
  if (input === undefined) return allFields(reading, subject)
  const names = namesIn(input)
  if (!names) return mistaken(reading, path, 'expected the names of fields')
  const fields = new Map<string, Field>()
  for (const name of names) {
    if (name === '*') continue
    const found = find(reading, subject, name)
    if (found?.kind !== 'field')
      return refuse(reading, name, placeOf(found, name, path), usableNames(reading, subject, ['field']))
    if (name !== 'id' && name !== 'documentId') fields.set(name, found.field)
  }
  return names.includes('*') ? allFields(reading, subject) : [...fields.values()]
}
