/** A version as a whole, checked before it is published: what was never sent counts as much as what was. */
import type { Component, ScalarAttribute } from '../../model/model.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import type { Entry } from '../../store/tables/entry.ts'
import type { ShapeInput } from '../input/body.ts'
import type { Path, Problems } from '../input/problems.ts'
import type { Blueprint, ListAttribute } from '../rows/blueprint.ts'
import { componentOfEntry, servedValues } from './entries.ts'
import { edgesOf, NO_ENTRIES, type Version } from './version.ts'

const REQUIRED = 'must have a value'

interface Checking {
  readonly blueprint: Blueprint
  readonly version: Version
  readonly problems: Problems
  /** Values of unique attributes that entries have had so far. */
  readonly taken: Set<string>
}

/**
 * Notes everything that keeps a version from being published. Scalars in `input` were read as strictly as publishing
 * asks for, and are not looked at twice.
 */
export function checkVersion(
  blueprint: Blueprint,
  version: Version,
  problems: Problems,
  input: ShapeInput | null = null,
) {
  const checking = { blueprint, version, problems, taken: new Set<string>() }
  for (const attribute of blueprint.type.attributes.values()) {
    const path = [attribute.name]
    switch (attribute.kind) {
      case 'scalar': {
        const stored = version.values.get(attribute.name) ?? null
        if (stored === null || !input?.has(attribute.name))
          checkScalar(checking, attribute, storedAsSent(attribute, stored), path)
        break
      }
      case 'media':
      case 'relation': {
        const owned = blueprint.owned.get(attribute.name)
        if (owned && attribute.required) checkEdges(checking, 0, owned.relation, path)
        break
      }
      case 'component':
      case 'zone': {
        const list = version.lists.get(attribute.name) ?? NO_ENTRIES
        checkList(checking, attribute, list.isSet ? list.entries : null, path)
      }
    }
  }
}

/** Kinds whose stored form needs no second look: their rules are the same for drafts, or cannot be asked again. */
const SETTLED = new Set(['json', 'blocks', 'boolean', 'password'])

function checkScalar({ problems }: Checking, attribute: ScalarAttribute, value: unknown, path: Path) {
  if (value === null || value === undefined) {
    if (attribute.required) problems.add(path, REQUIRED)
    return
  }
  if (SETTLED.has(attribute.type)) return
  const parsed = scalarTypes[attribute.type].parse(value, attribute, 'full')
  if (!parsed.ok) problems.add([...path, ...(parsed.path ?? [])], parsed.message, value)
}

/** A column's value in the form in which it could be sent. */
const storedAsSent = (attribute: ScalarAttribute, stored: Stored | null) =>
  stored !== null && attribute.type === 'biginteger' ? String(stored) : stored

function checkEdges({ version, problems }: Checking, entry: number, relation: number, path: Path) {
  if (edgesOf(version, entry, relation).length === 0) problems.add(path, REQUIRED)
}

function checkList(
  checking: Checking,
  attribute: ListAttribute,
  entries: readonly Entry[] | null,
  path: Path,
) {
  const { problems } = checking
  // An empty list is no value: what may be missing may be empty, however many entries it has to have otherwise.
  if (attribute.required && !entries?.length) problems.add(path, REQUIRED)
  if (!entries?.length) return
  const single = attribute.kind === 'component' && !attribute.repeatable
  if (!single) {
    const { min, max } = attribute
    if (min !== null && entries.length < min) problems.add(path, `must have at least ${count(min)}`)
    if (max !== null && entries.length > max) problems.add(path, `must have at most ${count(max)}`)
  }
  for (const [index, entry] of entries.entries()) {
    const component = componentOfEntry(checking.blueprint, entry)
    if (component) checkEntry(checking, component, entry, single ? path : [...path, String(index)])
  }
}

const count = (number: number) => (number === 1 ? '1 component' : `${number} components`)

function checkEntry(checking: Checking, component: Component, entry: Entry, path: Path) {
  const served = servedValues(entry)
  for (const attribute of component.attributes.values()) {
    const { name } = attribute
    const at = [...path, name]
    switch (attribute.kind) {
      case 'scalar':
        checkEntryValue(
          checking,
          component,
          attribute,
          Object.hasOwn(served, name) ? served[name] : entry.p?.[name],
          at,
        )
        break
      case 'media':
      case 'relation':
        if (attribute.required) {
          checkEdges(checking, entry.i, checking.blueprint.relationIn(component.uid, name), at)
        }
        break
      case 'component':
      case 'zone':
        checkList(checking, attribute, entry.n?.[name] ?? null, at)
    }
  }
}

/** Entries belong to their document, so a unique value is one that no other entry of the document has. */
function checkEntryValue(
  checking: Checking,
  { uid }: Component,
  attribute: ScalarAttribute,
  value: unknown,
  path: Path,
) {
  checkScalar(checking, attribute, value, path)
  if (!attribute.unique || value === null || value === undefined) return
  const key = JSON.stringify([uid, attribute.name, value])
  if (checking.taken.has(key))
    checking.problems.add(path, 'must be unique, and another entry of this document has this value')
  checking.taken.add(key)
}
