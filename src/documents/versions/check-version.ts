/** Checks a whole version before it is published, including values that were not sent now. */
import type { Component, EntriesAttribute, ScalarAttribute } from '../../model/model.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import type { Entry } from '../../store/tables/entry.ts'
import type { ShapeInput } from '../input/body.ts'
import type { Path, Problems } from '../input/problems.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import { componentOfEntry, servedValues } from './entries.ts'
import { edgesOf, NO_ENTRIES, type Version } from './version.ts'

const REQUIRED = 'is required'

interface VersionCheck {
  readonly blueprint: Blueprint
  readonly version: Version
  readonly problems: Problems
  /** Values of unique attributes in the entries checked so far. */
  readonly usedValues: Set<string>
}

/**
 * Adds a problem for everything that keeps a version from being published. Scalars in `input` were already checked as
 * strictly as publishing requires. Problems have no values: the caller may not be allowed to read what is stored.
 */
export function checkVersion(
  blueprint: Blueprint,
  version: Version,
  problems: Problems,
  input: ShapeInput | null = null,
) {
  const check = { blueprint, version, problems, usedValues: new Set<string>() }
  for (const attribute of blueprint.type.attributes.values()) {
    const path = [attribute.name]
    switch (attribute.kind) {
      case 'scalar': {
        const stored = version.values.get(attribute.name) ?? null
        if (stored === null || !input?.has(attribute.name))
          checkScalar(check, attribute, storedAsSent(attribute, stored), path)
        break
      }
      case 'media':
      case 'relation': {
        const owned = blueprint.owned.get(attribute.name)
        if (owned && attribute.required) checkEdges(check, 0, owned.relation, path)
        break
      }
      case 'component':
      case 'zone': {
        const list = version.lists.get(attribute.name) ?? NO_ENTRIES
        checkList(check, attribute, list.isSet ? list.entries : null, path)
      }
    }
  }
}

function checkScalar({ problems }: VersionCheck, attribute: ScalarAttribute, value: unknown, path: Path) {
  if (value === null || value === undefined) {
    if (attribute.required) problems.add(path, REQUIRED)
    return
  }
  const { family, isSecret, parse } = scalarTypes[attribute.type]
  // Their rules are the same for drafts, or the value can no longer be checked because it is a hash.
  if (isSecret || family === 'json' || family === 'boolean') return
  const parsed = parse(value, attribute, 'full')
  if (!parsed.ok) problems.add([...path, ...(parsed.path ?? [])], parsed.message)
}

/** A column's value in the form in which it could be sent. */
function storedAsSent({ type }: ScalarAttribute, stored: Stored | null): unknown {
  const { family, json } = scalarTypes[type]
  return stored !== null && family === 'number' ? JSON.parse(json(stored)) : stored
}

function checkEdges({ version, problems }: VersionCheck, entry: number, relation: number, path: Path) {
  if (edgesOf(version, entry, relation).length === 0) problems.add(path, REQUIRED)
}

function checkList(
  check: VersionCheck,
  attribute: EntriesAttribute,
  entries: readonly Entry[] | null,
  path: Path,
) {
  const { problems } = check
  const single = attribute.kind === 'component' && !attribute.repeatable
  // An empty list is a value; how many entries it needs is for `min` to say.
  if (attribute.required && (entries === null || (single && entries.length === 0)))
    problems.add(path, REQUIRED)
  // An optional list that was never set, or was cleared with null, has no number of entries to check.
  if (entries === null) return
  if (!single) {
    const { min, max } = attribute
    if (min !== null && entries.length < min) problems.add(path, `must have at least ${count(min)}`)
    if (max !== null && entries.length > max) problems.add(path, `must have at most ${count(max)}`)
  }
  for (const [index, entry] of entries.entries()) {
    const component = componentOfEntry(check.blueprint, entry)
    if (component) checkEntry(check, component, entry, single ? path : [...path, String(index)])
  }
}

const count = (number: number) => (number === 1 ? '1 component' : `${number} components`)

function checkEntry(check: VersionCheck, component: Component, entry: Entry, path: Path) {
  const served = servedValues(entry)
  for (const attribute of component.attributes.values()) {
    const { name } = attribute
    const at = [...path, name]
    switch (attribute.kind) {
      case 'scalar':
        checkEntryValue(
          check,
          component,
          attribute,
          Object.hasOwn(served, name) ? served[name] : entry.p?.[name],
          at,
        )
        break
      case 'media':
      case 'relation':
        if (attribute.required) {
          checkEdges(check, entry.i, check.blueprint.relationIn(component.uid, name), at)
        }
        break
      case 'component':
      case 'zone':
        checkList(check, attribute, entry.n?.[name] ?? null, at)
    }
  }
}

/** In a component, `unique` holds among the entries of the document too. */
function checkEntryValue(
  check: VersionCheck,
  { uid }: Component,
  attribute: ScalarAttribute,
  value: unknown,
  path: Path,
) {
  checkScalar(check, attribute, value, path)
  if (!attribute.unique || value === null || value === undefined || value === '') return
  const key = JSON.stringify([uid, attribute.name, value])
  if (check.usedValues.has(key))
    check.problems.add(path, 'must be unique: another entry of this document has this value')
  check.usedValues.add(key)
}
