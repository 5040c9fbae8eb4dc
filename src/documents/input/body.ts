/** The body of a write as values of the model: types and rules are checked here, the database is not asked. */
import {
  type Component,
  componentOf,
  type Model,
  type ScalarAttribute,
  type Shape,
} from '../../model/model.ts'
import type { Stored, Strictness } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import { isObject } from '../../project/values.ts'
import { type Operation, type Reference, readOperation } from '../relations/operation.ts'
import type { EdgeAttribute, ListAttribute } from '../rows/blueprint.ts'
import { type Path, Problems } from './problems.ts'

export interface EntryInput {
  readonly component: Component
  /** Names an entry that the document has already; null for a new one. */
  readonly name: { readonly id: number } | { readonly documentId: string } | null
  readonly values: ShapeInput
  readonly path: Path
}

export type AttributeInput =
  | { readonly kind: 'scalar'; readonly attribute: ScalarAttribute; readonly stored: Stored | null }
  | {
      readonly kind: 'edges'
      readonly attribute: EdgeAttribute
      readonly operation: Operation<Reference>
      readonly path: Path
    }
  | {
      readonly kind: 'entries'
      readonly attribute: ListAttribute
      /** Null clears the list; a null inside it stands for an entry that could not be read. */
      readonly entries: readonly (EntryInput | null)[] | null
      readonly path: Path
    }

/** What was sent for a content-type or a component, by attribute; what could not be read is left out. */
export type ShapeInput = ReadonlyMap<string, AttributeInput>

export interface Body {
  readonly input: ShapeInput
  readonly problems: Problems
  /** Every document that the body names. */
  readonly references: readonly Reference[]
  readonly newEntries: number
}

interface Reading {
  readonly model: Model
  readonly strictness: Strictness
  readonly problems: Problems
  readonly references: Reference[]
  newEntries: number
}

/** Reads `data` against a content-type; what is wrong with it is in `problems`. */
export function readBody(
  model: Model,
  type: Shape,
  data: Readonly<Record<string, unknown>>,
  strictness: Strictness,
): Body {
  const reading: Reading = { model, strictness, problems: new Problems(), references: [], newEntries: 0 }
  const input = readShape(reading, type, data, [])
  return { input, ...reading }
}

function readShape(
  reading: Reading,
  shape: Shape,
  data: Readonly<Record<string, unknown>>,
  path: Path,
): ShapeInput {
  const input = new Map<string, AttributeInput>()
  for (const attribute of shape.attributes.values()) {
    const value = data[attribute.name]
    if (value === undefined || !Object.hasOwn(data, attribute.name)) continue
    const at = [...path, attribute.name]
    switch (attribute.kind) {
      case 'scalar': {
        const stored = readScalar(reading, attribute, value, at)
        if (stored !== undefined) input.set(attribute.name, { kind: 'scalar', attribute, stored })
        break
      }
      case 'media':
      case 'relation': {
        const operation = readOperation(reading.model, attribute, value, at, reading.problems)
        if (operation) {
          reading.references.push(...referencesOf(operation))
          input.set(attribute.name, { kind: 'edges', attribute, operation, path: at })
        }
        break
      }
      case 'component':
      case 'zone': {
        const entries = readEntries(reading, attribute, value, at)
        if (entries !== undefined) {
          input.set(attribute.name, { kind: 'entries', attribute, entries, path: at })
        }
      }
    }
  }
  return input
}

function readScalar(reading: Reading, attribute: ScalarAttribute, value: unknown, path: Path) {
  if (value === null) return null
  const parsed = scalarTypes[attribute.type].parse(value, attribute, reading.strictness)
  if (parsed.ok) return parsed.value
  const shown = attribute.type === 'password' ? undefined : value
  reading.problems.add([...path, ...(parsed.path ?? [])], parsed.message, shown)
  return undefined
}

export function referencesOf(operation: Operation<Reference>): Reference[] {
  if (operation.kind === 'set') return [...operation.targets]
  return [
    ...operation.disconnect,
    ...operation.connect.flatMap(({ target, place }) =>
      place.kind === 'before' || place.kind === 'after' ? [target, place.anchor] : [target],
    ),
  ]
}

/** Undefined when the value is no list (or no object) at all. */
function readEntries(reading: Reading, attribute: ListAttribute, value: unknown, path: Path) {
  if (value === null) return null
  if (attribute.kind === 'component' && !attribute.repeatable) {
    const entry = readEntry(reading, componentOf(reading.model, attribute.component), value, path)
    return entry ? [entry] : undefined
  }
  if (!Array.isArray(value)) {
    reading.problems.add(path, 'must be a list', value)
    return undefined
  }
  return value.map((item: unknown, index) => {
    const at = [...path, String(index)]
    const component =
      attribute.kind === 'component'
        ? attribute.component
        : readComponent(reading, attribute.components, item, at)
    return component === null ? null : readEntry(reading, componentOf(reading.model, component), item, at)
  })
}

/** The component that an entry of a zone says it is. */
function readComponent({ problems }: Reading, allowed: readonly string[], item: unknown, path: Path) {
  if (!isObject(item)) {
    problems.add(path, 'must be an object', item)
    return null
  }
  const name = item.__component
  if (typeof name === 'string' && allowed.includes(name)) return name
  problems.add([...path, '__component'], `must be one of ${allowed.join(', ')}`, name)
  return null
}

function readEntry(reading: Reading, component: Component, item: unknown, path: Path): EntryInput | null {
  if (!isObject(item)) {
    reading.problems.add(path, 'must be an object', item)
    return null
  }
  const name = readEntryName(reading, item, path)
  if (name === undefined) return null
  if (name === null) reading.newEntries++
  return { component, name, values: readShape(reading, component, item, path), path }
}

/** Null for a new entry, undefined when the id makes no sense. */
function readEntryName({ problems }: Reading, item: Readonly<Record<string, unknown>>, path: Path) {
  const id = item.id ?? null
  if (id !== null) {
    const number = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id
    if (typeof number === 'number' && Number.isSafeInteger(number)) return { id: number }
    problems.add([...path, 'id'], 'must be the id of a component of this document', id)
    return undefined
  }
  const documentId = item.documentId ?? null
  if (documentId === null) return null
  if (typeof documentId === 'string') return { documentId }
  problems.add([...path, 'documentId'], 'must be the documentId of a component of this document', documentId)
  return undefined
}
