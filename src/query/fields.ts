/** Parses the `fields` parameter: which scalars a response shows, beside `id` and `documentId`, which it always has. */
import type { Field } from '../plan/query-tree.ts'
import { defaultFields, errorPath, findName, type Subject, usableNames } from './find-name.ts'
import { namesInList, type Param } from './params.ts'
import { type ParseContext, refuseKey, refuseValue } from './parse-context.ts'

/** The requested fields, in the order of the request; null for every served field. */
export function parseFields(
  context: ParseContext,
  subject: Subject,
  input: Param | undefined,
  path: readonly string[] = [],
): readonly Field[] | null {
  if (input === undefined || input === '') return defaultFields(context, subject)
  const names = namesInList(input)
  if (!names) return refuseValue(context, path, 'expected field names')
  const fields = new Map<string, Field>()
  for (const name of names) {
    if (name === '*') continue
    const found = findName(context, subject, name)
    if (found?.kind !== 'field')
      return refuseKey(context, name, errorPath(found, name, path), usableNames(context, subject, ['field']))
    if (name !== 'id' && name !== 'documentId') fields.set(name, found.field)
  }
  return names.includes('*') ? defaultFields(context, subject) : [...fields.values()]
}
