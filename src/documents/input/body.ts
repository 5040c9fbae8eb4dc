/** Parses the body of a write: checks values against the model, without the database. */

import { inexactSource } from '../../model/inexact-numbers.ts'
import {
  type Component,
  componentOf,
  type EdgeAttribute,
  type EntriesAttribute,
  type Model,
  type ScalarAttribute,
  type Shape,
} from '../../model/model.ts'
import { isSecret } from '../../model/privacy.ts'
import { fail, type Stored, type Strictness } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import { LOSES_DIGITS } from '../../model/scalars/shared/lossless-json.ts'
import { isObject } from '../../project/values.ts'
import { type Operation, parseOperation, type Reference } from '../relations/operation.ts'
import { type Path, Problems } from './problems.ts'

export interface EntryInput {
  readonly component: Component
  /** Names an existing entry of the document; null for a new one. */
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
      readonly attribute: EntriesAttribute
      /** Null clears the list; a null inside it stands for an invalid entry. */
      readonly entries: readonly (EntryInput | null)[] | null
      readonly path: Path
    }

/** What was sent for a content-type or a component, by attribute, without invalid values. */
export type ShapeInput = ReadonlyMap<string, AttributeInput>

export interface Body {
  readonly input: ShapeInput
  readonly problems: Problems
  /** All documents that the body names. */
  readonly references: readonly Reference[]
  readonly newEntries: number
}

interface ParseContext {
  readonly model: Model
  readonly strictness: Strictness
  readonly problems: Problems
  readonly references: Reference[]
  /** Whether all entries are new, whatever ids they were sent with. */
  readonly isNewDocument: boolean
  newEntries: number
}

/**
 * Parses `data` for a content-type; `problems` lists what is invalid. The entries of a new document are new: the ids in
 * the copy of another document are ignored.
 */
export function parseBody(
  model: Model,
  type: Shape,
  data: Readonly<Record<string, unknown>>,
  strictness: Strictness,
  isNewDocument = false,
): Body {
  const context: ParseContext = {
    model,
    strictness,
    problems: new Problems(),
    references: [],
    isNewDocument,
    newEntries: 0,
  }
  const input = parseShape(context, type, data, [])
  return { input, ...context }
}

function parseShape(
  context: ParseContext,
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
        const stored = parseScalar(context, attribute, value, at, inexactSource(data, attribute.name))
        if (stored !== undefined) input.set(attribute.name, { kind: 'scalar', attribute, stored })
        break
      }
      case 'media':
      case 'relation': {
        const operation = parseOperation(context.model, attribute, value, at, context.problems)
        if (operation) {
          context.references.push(...referencesOf(operation))
          input.set(attribute.name, { kind: 'edges', attribute, operation, path: at })
        }
        break
      }
      case 'component':
      case 'zone': {
        const entries = parseEntries(context, attribute, value, at)
        if (entries !== undefined) {
          input.set(attribute.name, { kind: 'entries', attribute, entries, path: at })
        }
      }
    }
  }
  return input
}

/** `source` is the text of a number that lost digits. */
function parseScalar(
  context: ParseContext,
  attribute: ScalarAttribute,
  value: unknown,
  path: Path,
  source: string | undefined,
) {
  if (value === null) return null
  const { family, isNullWhenEmpty, parse } = scalarTypes[attribute.type]
  if (isNullWhenEmpty && value === '') return null
  const parsed =
    source === undefined || family === 'text'
      ? parse(value, attribute, context.strictness)
      : family === 'json'
        ? fail(LOSES_DIGITS)
        : parse(source, attribute, context.strictness)
  if (parsed.ok) return parsed.value
  const shown = isSecret(attribute) ? undefined : value
  context.problems.add([...path, ...(parsed.path ?? [])], parsed.message, shown)
  return undefined
}

export function referencesOf(operation: Operation<Reference>): Reference[] {
  if (operation.kind === 'set') return [...operation.targets]
  return [
    ...operation.disconnect,
    ...operation.connect.flatMap(({ target, position }) =>
      position.kind === 'before' || position.kind === 'after' ? [target, position.anchor] : [target],
    ),
  ]
}

/** Undefined if the value is not a list, or not an object for a single component. */
function parseEntries(context: ParseContext, attribute: EntriesAttribute, value: unknown, path: Path) {
  if (value === null) return null
  if (attribute.kind === 'component' && !attribute.repeatable) {
    const entry = parseEntry(context, componentOf(context.model, attribute.component), value, path)
    return entry ? [entry] : undefined
  }
  if (!Array.isArray(value)) {
    context.problems.add(path, 'must be an array', value)
    return undefined
  }
  return value.map((item: unknown, index) => {
    const at = [...path, String(index)]
    const component =
      attribute.kind === 'component'
        ? attribute.component
        : parseComponentName(context, attribute.components, item, at)
    return component === null ? null : parseEntry(context, componentOf(context.model, component), item, at)
  })
}

/** The component of a zone entry; null if it is not allowed. */
function parseComponentName(
  { problems }: ParseContext,
  allowed: readonly string[],
  item: unknown,
  path: Path,
) {
  if (!isObject(item)) {
    problems.add(path, 'must be an object', item)
    return null
  }
  const name = item.__component
  if (typeof name === 'string' && allowed.includes(name)) return name
  problems.add([...path, '__component'], `must be one of ${allowed.join(', ')}`, name)
  return null
}

function parseEntry(
  context: ParseContext,
  component: Component,
  item: unknown,
  path: Path,
): EntryInput | null {
  if (!isObject(item)) {
    context.problems.add(path, 'must be an object', item)
    return null
  }
  const name = context.isNewDocument ? null : parseEntryName(context, item, path)
  if (name === undefined) return null
  if (name === null) context.newEntries++
  return { component, name, values: parseShape(context, component, item, path), path }
}

/** Null for a new entry, undefined if the id is invalid. */
function parseEntryName({ problems }: ParseContext, item: Readonly<Record<string, unknown>>, path: Path) {
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
