/** Exports and imports component entries. */
import {
  type Component,
  type EntriesAttribute,
  holdsEntries,
  type Model,
  type ScalarAttribute,
} from '../../model/model.ts'
import { isServed } from '../../model/privacy.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import type { Entry } from '../../store/tables/entry.ts'
import { servedValues } from '../versions/entries.ts'
import { ArchiveLine, DOCUMENT_ID, type Fields, type UnknownNames } from './archive-line.ts'
import { fromJsonValue, toJsonValue } from './values.ts'

type PrivateValue = string | number | null

/** The entries of a column as JSON. Components that the model no longer has are left out. */
export const entriesToJson = (model: Model, entries: readonly Entry[]): Fields[] =>
  entries.flatMap((entry) => {
    const component = model.components.get(entry.c)
    return component ? [entryToJson(model, component, entry)] : []
  })

function entryToJson(model: Model, component: Component, entry: Entry): Fields {
  const served = servedValues(entry)
  const values: Record<string, unknown> = {}
  for (const attribute of component.attributes.values()) {
    const { name } = attribute
    if (attribute.kind === 'scalar') {
      const stored = entry.p?.[name] ?? null
      const value = isServed(attribute)
        ? served[name]
        : stored === null
          ? null
          : toJsonValue(attribute.type, stored)
      if (value !== null && value !== undefined) values[name] = value
    } else if (holdsEntries(attribute)) {
      const nested = entry.n?.[name]
      if (nested) values[name] = entriesToJson(model, nested)
    }
  }
  return { id: entry.i, documentId: entry.d, component: entry.c, values }
}

/** Reads the entries of an attribute and rebuilds them for the model. Calls `onEntryId` with the id of each entry. */
export class EntryReader {
  readonly #model: Model
  readonly #unknown: UnknownNames
  readonly #onEntryId: (entryId: number) => void
  readonly #onInvalidValue: OnInvalidValue | undefined

  constructor(
    model: Model,
    unknown: UnknownNames,
    onEntryId: (entryId: number) => void,
    onInvalidValue?: OnInvalidValue,
  ) {
    this.#model = model
    this.#unknown = unknown
    this.#onEntryId = onEntryId
    this.#onInvalidValue = onInvalidValue
  }

  list(attribute: EntriesAttribute, value: unknown, line: ArchiveLine, at: string): Entry[] {
    if (!Array.isArray(value)) throw line.error(`must have a list of components in ${at}`)
    const allowed = attribute.kind === 'component' ? [attribute.component] : attribute.components
    const entries = value.flatMap(
      (one) => this.#entry(new ArchiveLine(one, `A component in ${at}`), allowed, at) ?? [],
    )
    if (attribute.kind === 'component' && !attribute.repeatable && entries.length > 1)
      throw line.error(`has several components in ${at}, which allows one`)
    return entries
  }

  #entry(line: ArchiveLine, allowed: readonly string[], at: string): Entry | null {
    const uid = line.string('component')
    const component = allowed.includes(uid) ? this.#model.components.get(uid) : undefined
    if (!component) {
      this.#unknown.add(`component ${uid} in ${at}`)
      return null
    }
    const i = line.integer('id', 1)
    this.#onEntryId(i)
    const values = line.object('values').fields
    for (const name of Object.keys(values)) {
      const known = component.attributes.get(name)
      if (known?.kind !== 'scalar' && !(known && holdsEntries(known)))
        this.#unknown.add(`attribute ${name} of ${uid}`)
    }
    return this.#build(component, { i, d: line.string('documentId', DOCUMENT_ID), c: uid }, values, line)
  }

  #build(
    component: Component,
    identity: Pick<Entry, 'i' | 'd' | 'c'>,
    values: Fields,
    line: ArchiveLine,
  ): Entry {
    const privateValues: Record<string, PrivateValue> = {}
    const nested: Record<string, readonly Entry[]> = {}
    let served = ''
    for (const attribute of component.attributes.values()) {
      const { name } = attribute
      const value = Object.hasOwn(values, name) ? (values[name] ?? null) : null
      if (attribute.kind === 'scalar') {
        const stored = value === null ? null : storedScalar(attribute, value, line, this.#onInvalidValue)
        if (isServed(attribute))
          served += `,${JSON.stringify(name)}:${stored === null ? 'null' : scalarTypes[attribute.type].json(stored)}`
        else if (stored !== null) privateValues[name] = typeof stored === 'bigint' ? String(stored) : stored
      } else if (value !== null && holdsEntries(attribute))
        nested[name] = this.list(attribute, value, line, `${name} of ${component.uid}`)
    }
    return {
      ...identity,
      s: served,
      ...(Object.keys(privateValues).length > 0 && { p: privateValues }),
      ...(Object.keys(nested).length > 0 && { n: nested }),
    }
  }
}

/** Receives a value that its attribute cannot hold. */
export type OnInvalidValue = (attribute: ScalarAttribute, message: string) => void

/** The stored form of a value. One that the attribute cannot hold is null if `onInvalidValue` takes it, else an error. */
export function storedScalar(
  attribute: ScalarAttribute,
  value: unknown,
  line: ArchiveLine,
  onInvalidValue?: OnInvalidValue,
) {
  const stored = fromJsonValue(attribute, value)
  if (stored.ok) return stored.value
  if (onInvalidValue) {
    onInvalidValue(attribute, stored.message)
    return null
  }
  throw line.error(`has an invalid value for ${attribute.name}: it ${stored.message}`)
}
