/** Parses the bodies of requests that change releases. */
import type { NewEntry } from '../../documents/releases/entries.ts'
import { MAX_ENTRIES } from '../../documents/releases/entries.ts'
import { isScheduledAction, SCHEDULED_ACTIONS } from '../../documents/schedules/schedules.ts'
import { errors, type FieldProblem } from '../../errors.ts'
import type { Model } from '../../model/model.ts'
import { nearest } from '../../project/suggest.ts'
import { isObject } from '../../project/values.ts'

const MAX_NAME_LENGTH = 255

export function parseName(name: unknown): string {
  const trimmed = typeof name === 'string' ? name.trim() : ''
  if (trimmed === '' || trimmed.length > MAX_NAME_LENGTH || trimmed.includes('\0'))
    throw errors.invalidValues([
      { path: ['name'], message: `name must be a string of 1 to ${MAX_NAME_LENGTH} characters` },
    ])
  return trimmed
}

const KEYS = ['type', 'documentId', 'locale', 'action']

/** A list of entries. The content-type is given by its uid or by its name in routes; the locale defaults to the default one. */
export function parseEntries(model: Model, input: unknown): readonly NewEntry[] {
  const list = Array.isArray(input) ? input : [input]
  if (list.length === 0 || list.length > MAX_ENTRIES)
    throw errors.invalidValues([
      { path: ['entries'], message: `entries must be a list of 1 to ${MAX_ENTRIES} documents` },
    ])
  const problems: FieldProblem[] = []
  const entries = list.flatMap((one: unknown, index): NewEntry[] => {
    const parsed = parseEntry(model, one, `entries.${index}`)
    if ('action' in parsed) return [parsed]
    problems.push({
      path: ['entries', String(index), parsed.key],
      message: `entries[${index}].${parsed.message}`,
    })
    return []
  })
  if (problems.length > 0) throw errors.invalidValues(problems)
  return entries
}

interface EntryProblem {
  readonly key: string
  readonly message: string
}

function parseEntry(model: Model, input: unknown, path: string): NewEntry | EntryProblem {
  const problem = (key: string, message: string) => ({ key, message: `${key} ${message}` })
  if (!isObject(input)) return problem('type', 'is required')
  for (const key of Object.keys(input))
    if (!KEYS.includes(key)) throw errors.invalidKey({ key, path, source: 'body', meant: nearest(key, KEYS) })
  const { documentId, locale, action = 'publish' } = input
  const { type: given } = input
  const name = typeof given === 'string' ? given : ''
  const type = model.types.get(name) ?? model.endpoints.get(name)
  if (!type) return problem('type', 'must be the uid or name of a content-type')
  if (!type.draftAndPublish) return problem('type', `must have drafts, and ${type.singular} has none`)
  if (typeof documentId !== 'string' || documentId === '' || documentId.includes('\0'))
    return problem('documentId', 'must be a string')
  if (!isScheduledAction(action)) return problem('action', `must be one of ${SCHEDULED_ACTIONS.join(', ')}`)
  if (!type.localized) return { type: type.uid, documentId, locale: '', action }
  const code = locale ?? model.locales.default
  if (typeof code !== 'string' || !model.locales.codes.includes(code))
    return problem('locale', `must be one of ${model.locales.codes.join(', ')}`)
  return { type: type.uid, documentId, locale: code, action }
}
