/** Component entries outside of a database: their values by attribute, whether they are served or private. */
import type {
  Component,
  ComponentAttribute,
  Model,
  ScalarAttribute,
  ZoneAttribute,
} from '../../model/model.ts'
import { isServed } from '../../model/privacy.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import type { Entry } from '../../store/tables/entry.ts'
import { servedValues } from '../versions/entries.ts'
import { DOCUMENT_ID, type Fields, Line, type Unknown } from './archive-line.ts'
import { portable, storedFrom } from './values.ts'

type ListAttribute = ComponentAttribute | ZoneAttribute
type PrivateValue = string | number | null

const isList = (attribute: { readonly kind: string }): attribute is ListAttribute =>
  attribute.kind === 'component' || attribute.kind === 'zone'

/** The entries of a column for an archive. What the model no longer knows is left out. */
export const portableEntries = (model: Model, entries: readonly Entry[]): Fields[] =>
  entries.flatMap((entry) => {
    const component = model.components.get(entry.c)
    return component ? [portableEntry(model, component, entry)] : []
  })

function portableEntry(model: Model, component: Component, entry: Entry): Fields {
  const served = servedValues(entry)
  const values: Record<string, unknown> = {}
  for (const attribute of component.attributes.values()) {
    const { name } = attribute
    if (attribute.kind === 'scalar') {
      const kept = entry.p?.[name] ?? null
      const value = isServed(attribute) ? served[name] : kept === null ? null : portable(attribute.type, kept)
      if (value !== null && value !== undefined) values[name] = value
    } else if (isList(attribute)) {
      const nested = entry.n?.[name]
      if (nested) values[name] = portableEntries(model, nested)
    }
  }
  return { id: entry.i, documentId: entry.d, component: entry.c, values }
}

/** Reads the entries of an attribute back, made anew for the model; tells of the ids it meets. */
export class EntryReader {
  readonly #model: Model
  readonly #unknown: Unknown
  readonly #met: (entryId: number) => void

  constructor(model: Model, unknown: Unknown, met: (entryId: number) => void) {
    this.#model = model
    this.#unknown = unknown
    this.#met = met
  }

  list(attribute: ListAttribute, value: unknown, line: Line, at: string): Entry[] {
    if (!Array.isArray(value)) throw line.wrong(`has no list of components in ${at}`)
    const allowed = attribute.kind === 'component' ? [attribute.component] : attribute.components
    const entries = value.flatMap(
      (one) => this.#entry(new Line(one, `A component in ${at}`), allowed, at) ?? [],
    )
    if (attribute.kind === 'component' && !attribute.repeatable && entries.length > 1)
      throw line.wrong(`has several components in ${at}, which takes one`)
    return entries
  }

  #entry(line: Line, allowed: readonly string[], at: string): Entry | null {
    const uid = line.text('component')
    const component = allowed.includes(uid) ? this.#model.components.get(uid) : undefined
    if (!component) {
      this.#unknown.note(`component ${uid} in ${at}`)
      return null
    }
    const i = line.count('id', 1)
    this.#met(i)
    const values = line.object('values').fields
    for (const name of Object.keys(values)) {
      const known = component.attributes.get(name)
      if (known?.kind !== 'scalar' && !(known && isList(known)))
        this.#unknown.note(`attribute ${name} of ${uid}`)
    }
    return this.#made(component, { i, d: line.text('documentId', DOCUMENT_ID), c: uid }, values, line)
  }

  #made(component: Component, names: Pick<Entry, 'i' | 'd' | 'c'>, values: Fields, line: Line): Entry {
    const kept: Record<string, PrivateValue> = {}
    const nested: Record<string, readonly Entry[]> = {}
    let served = ''
    for (const attribute of component.attributes.values()) {
      const { name } = attribute
      const value = Object.hasOwn(values, name) ? (values[name] ?? null) : null
      if (attribute.kind === 'scalar') {
        const stored = value === null ? null : storedScalar(attribute, value, line)
        if (isServed(attribute))
          served += `,${JSON.stringify(name)}:${stored === null ? 'null' : scalarTypes[attribute.type].json(stored)}`
        else if (stored !== null) kept[name] = typeof stored === 'bigint' ? String(stored) : stored
      } else if (value !== null && isList(attribute))
        nested[name] = this.list(attribute, value, line, `${name} of ${component.uid}`)
    }
    return {
      ...names,
      s: served,
      ...(Object.keys(kept).length > 0 && { p: kept }),
      ...(Object.keys(nested).length > 0 && { n: nested }),
    }
  }
}

/** What is stored for a value of a line; a value that the attribute cannot hold is the end of the import. */
export function storedScalar(attribute: ScalarAttribute, value: unknown, line: Line) {
  const stored = storedFrom(attribute, value)
  if (stored.ok) return stored.value
  throw line.wrong(`has a value for ${attribute.name} that does not fit: it ${stored.message}`)
}
