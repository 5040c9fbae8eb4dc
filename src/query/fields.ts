/** The `fields` parameter: which scalars an answer shows. `id` and `documentId` are always there. */
import type { Field } from '../plan/tree.ts'
import { allFields, find, type Subject, usableNames } from './names.ts'
import { listOf, type Param } from './params.ts'
import { mistaken, type Reading, refuse } from './reading.ts'

/** The fields asked for, in the order of the request; null for all that is served. */
export function parseFields(
  reading: Reading,
  subject: Subject,
  input: Param | undefined,
  path: readonly string[] = [],
): readonly Field[] | null {
  if (input === undefined) return allFields(reading, subject)
  const names = typeof input === 'string' ? input.split(',') : listOf(input)
  if (!names) return mistaken(reading, path, 'expected the names of fields')
  const fields = new Map<string, Field>()
  for (const name of names) {
    if (typeof name !== 'string') return mistaken(reading, path, 'expected the names of fields')
    const trimmed = name.trim()
    if (trimmed === '*') return allFields(reading, subject)
    const found = find(reading, subject, trimmed)
    if (found?.kind !== 'field')
      return refuse(reading, trimmed, [...path, trimmed], usableNames(reading, subject, ['field']))
    if (trimmed !== 'id' && trimmed !== 'documentId') fields.set(trimmed, found.field)
  }
  return [...fields.values()]
}
