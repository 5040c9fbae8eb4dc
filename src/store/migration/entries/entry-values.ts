/** The scalar values of a stored component entry, in the form that columns have. Pure. */
import type { ScalarAttribute } from '../../../model/model.ts'
import { isSecret } from '../../../model/privacy.ts'
import type { Stored } from '../../../model/scalar-type.ts'
import { scalarTypes } from '../../../model/scalars/index.ts'
import type { Entry } from '../../tables/entry.ts'

export type EntryValues = ReadonlyMap<string, Stored | null>

/** Reads the values from the served JSON and the private values of an entry. */
export function readEntryValues(entry: Entry, attributes: ReadonlyMap<string, ScalarAttribute>): EntryValues {
  const served: Record<string, unknown> = entry.s === '' ? {} : JSON.parse(`{${entry.s.slice(1)}}`)
  const values = new Map<string, Stored | null>(Object.entries(entry.p ?? {}))
  for (const [name, value] of Object.entries(served)) {
    const type = attributes.get(name)?.type
    const isJson = type !== undefined && scalarTypes[type].family === 'json'
    values.set(name, value === null ? null : storedForm(isJson, value))
  }
  return values
}

function storedForm(isJson: boolean, served: unknown): Stored {
  if (!isJson && (typeof served === 'string' || typeof served === 'number')) return served
  if (!isJson && typeof served === 'boolean') return Number(served)
  return JSON.stringify(served)
}

/** Whether the attribute would accept a stored value if it were written now. */
export function isValid(stored: Stored, attribute: ScalarAttribute): boolean {
  if (isSecret(attribute)) return true
  const { json, parse } = scalarTypes[attribute.type]
  return parse(JSON.parse(json(stored)), attribute, 'full').ok
}
