/** The `fields` parameter: which scalars an answer shows. `id` and `documentId` are always there. */
import type { Field } from '../plan/query-tree.ts'
import { defaultFields, errorPath, findName, type Subject, usableNames } from './find-name.ts'
import { namesInList, type Param } from './params.ts'
import { type ParseContext, refuseKey, refuseValue } from './parse-context.ts'

/** The fields asked for, in the order of the request; null for all that is served. */
export function parseFields(
  context: ParseContext,
  subject: Subject,
  input: Param | undefined,
  path: readonly string[] = [],
): readonly Field[] | null {
  if (input === undefined) return defaultFields(context, subject)
  const names = namesInList(input)
  if (!names) return refuseValue(context, path, 'expected the names of fields')
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
