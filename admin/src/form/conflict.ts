/** Two people changed a document: which attributes both of them changed, and the values after choosing. */
import type { AttributeView } from '../api/types.ts'
import { isEqual } from './equal.ts'
import { type FormPath, isBelow, join } from './path.ts'
import { attributesOf, hasRows, isComponent, type Schema } from './schema.ts'
import type { Row, Values } from './store.ts'
import { inputOf, rowsAt } from './values/document-values.ts'

export interface Versions {
  /** What both started from. */
  readonly base: Values
  readonly mine: Values
  readonly theirs: Values
}

/** The attributes that both versions changed, differently. */
export function conflictingAttributes(
  schema: Schema,
  attributes: readonly AttributeView[],
  { base, mine, theirs }: Versions,
): readonly AttributeView[] {
  return attributes.filter((attribute) => {
    const input = (values: Values) => inputOf(schema, [attribute], values)
    const [before, my, their] = [input(base), input(mine), input(theirs)]
    return !isEqual(my, before) && !isEqual(their, before) && !isEqual(my, their)
  })
}

/** Whether the other version changed nothing: a change of the model also makes new versions of documents. */
export const isUnchanged = (
  schema: Schema,
  attributes: readonly AttributeView[],
  { base, theirs }: Versions,
): boolean =>
  attributes.every((attribute) =>
    isEqual(inputOf(schema, [attribute], theirs), inputOf(schema, [attribute], base)),
  )

/**
 * The values to keep on top of the other version: everything that only I changed, and of the attributes that both
 * changed, those that are not in `taken`.
 */
export function mergedChanges(
  schema: Schema,
  attributes: readonly AttributeView[],
  { base, mine, theirs }: Versions,
  taken: ReadonlySet<string>,
): Map<FormPath, unknown> {
  const kept = attributes.filter((attribute) => {
    const input = (values: Values) => inputOf(schema, [attribute], values)
    return !taken.has(attribute.name) && !isEqual(input(mine), input(base))
  })
  const merged = new Map<FormPath, unknown>()
  for (const { name } of kept) {
    const isInside = (path: FormPath) => path === name || isBelow(path, name)
    for (const path of new Set([...mine.keys(), ...theirs.keys()].filter(isInside))) {
      const value = withoutLostIds(mine.get(path), path, theirs)
      if (!isEqual(value, theirs.get(path))) merged.set(path, value)
    }
  }
  return merged
}

/**
 * What is inside the entries of an attribute, one line for each value, such as `2 › Caption: Harbour`. `describe` says what
 * a value is; nothing when it is empty.
 */
export function entryLines(
  schema: Schema,
  attribute: AttributeView,
  values: Values,
  describe: (attribute: AttributeView, value: unknown) => string,
  at: FormPath = attribute.name,
): readonly string[] {
  const isSingle = isComponent(attribute) && !attribute.repeatable
  return rowsAt(values, at).flatMap((row, index) =>
    attributesOf(schema, row.component)
      .flatMap((inner) => {
        const path = join(join(at, row.key), inner.name)
        if (!hasRows(inner)) return describe(inner, values.get(path))
        return entryLines(schema, inner, values, describe, path)
      })
      .filter((line) => line !== '')
      .map((line) => (isSingle ? line : `${index + 1} › ${line}`)),
  )
}

/** An entry that the other version deleted is a new one: its id no longer exists. */
function withoutLostIds(value: unknown, path: FormPath, theirs: Values): unknown {
  if (!isRows(value)) return value
  const existing = new Set(rowsAt(theirs, path).map(({ id }) => id))
  return value.map((row) => (existing.has(row.id) ? row : { key: row.key, component: row.component }))
}

const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) &&
  value.every((item) => typeof item === 'object' && item !== null && 'key' in item && 'component' in item)
