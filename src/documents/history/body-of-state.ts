/**
 * A saved state as the body of an update that makes it the content of the document again. What cannot be restored is left
 * out of the body and listed. Pure.
 */
import type { FieldProblem } from '../../errors.ts'
import {
  type Attribute,
  componentOf,
  type EdgeAttribute,
  type EntriesAttribute,
  FILE,
} from '../../model/model.ts'
import { isSecret } from '../../model/privacy.ts'
import type { Stored } from '../../model/scalar-type.ts'
import type { Scope } from '../../query/scope.ts'
import type { Entry } from '../../store/tables/entry.ts'
import { parseBody } from '../input/body.ts'
import { type Path, pathText } from '../input/problems.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import { toJsonValue } from '../transfer/values.ts'
import { servedValues } from '../versions/entries.ts'
import { type Edge, edgesOf, NO_ENTRIES, type Version } from '../versions/version.ts'

/** What the caller may know of the document at the end of an edge; `unknown` where it is either missing or hidden. */
export type StateOfTarget = (type: string, documentId: string) => 'visible' | 'missing' | 'unknown'

export interface StateBody {
  readonly data: Readonly<Record<string, unknown>>
  readonly notRestored: readonly FieldProblem[]
}

type Values = Record<string, unknown>

/** Attributes that the caller may not write keep their current values. */
export function bodyOfState(
  blueprint: Blueprint,
  version: Version,
  scope: Scope,
  stateOfTarget: StateOfTarget,
): StateBody {
  const notRestored: FieldProblem[] = []
  const writer = new BodyWriter(blueprint, version, scope, stateOfTarget, notRestored)
  const { type, model } = blueprint
  const writable = scope.rule(type.uid, 'update')?.fields
  const data: Values = {}
  for (const attribute of type.attributes.values()) {
    const { name } = attribute
    if (writable && !writable.includes(name)) writer.report([name], 'you may not change it')
    else {
      const value = jsonValue(attribute, version.values.get(name) ?? null)
      writer.write(data, attribute, 0, value, version.lists.get(name)?.entries, [name])
    }
  }
  for (const problem of parseBody(model, type, data, 'draft').problems.withoutValues().list) {
    removeAt(data, problem.path)
    notRestored.push(problem)
  }
  return { data, notRestored }
}

class BodyWriter {
  readonly #blueprint: Blueprint
  readonly #version: Version
  readonly #scope: Scope
  readonly #stateOfTarget: StateOfTarget
  readonly #notRestored: FieldProblem[]

  constructor(
    blueprint: Blueprint,
    version: Version,
    scope: Scope,
    stateOfTarget: StateOfTarget,
    notRestored: FieldProblem[],
  ) {
    this.#blueprint = blueprint
    this.#version = version
    this.#scope = scope
    this.#stateOfTarget = stateOfTarget
    this.#notRestored = notRestored
  }

  report(path: Path, reason: string) {
    this.#notRestored.push({ path, message: `${pathText(path)} was not restored: ${reason}` })
  }

  /** Adds an attribute of the document or of an entry to a body. Passwords and inverse sides keep what they have. */
  write(
    body: Values,
    attribute: Attribute,
    entry: number,
    value: unknown,
    entries: readonly Entry[] | undefined,
    path: Path,
  ) {
    const { name } = attribute
    if (isSecret(attribute) || (attribute.kind === 'relation' && attribute.side === 'inverse')) return
    if (attribute.writable === false) return this.report(path, 'it cannot be written')
    switch (attribute.kind) {
      case 'scalar':
        body[name] = value ?? null
        break
      case 'media':
      case 'relation': {
        const targets = this.#targets(attribute, entry, path)
        if (targets) body[name] = targets
        break
      }
      case 'component':
      case 'zone': {
        const isSet = entries !== undefined && (entry > 0 || this.#isSet(name))
        body[name] = isSet ? this.#list(attribute, entries, path) : null
      }
    }
  }

  #isSet(name: string) {
    return (this.#version.lists.get(name) ?? NO_ENTRIES).isSet
  }

  #targets(attribute: EdgeAttribute, entry: number, path: Path): unknown {
    const target = attribute.kind === 'relation' ? attribute.target : FILE
    if (attribute.kind === 'relation' && target !== null && !this.#scope.may(target, 'find')) {
      this.report(path, `you may not find ${target}`)
      return null
    }
    const isMany = attribute.kind === 'media' ? attribute.multiple : attribute.many
    if (target === null && !isMany) {
      this.report(path, 'a polymorphic relation to one document cannot be written')
      return null
    }
    const typeOf = (edge: Edge) => edge.targetType ?? target ?? ''
    const edges = edgesOf(this.#version, entry, this.#relation(attribute, entry))
    const present = edges.filter((edge) => {
      const state = this.#stateOfTarget(typeOf(edge), edge.target)
      if (state === 'missing') this.report(path, `document ${edge.target} does not exist`)
      if (state === 'unknown') this.report(path, 'a document does not exist, or you may not find it')
      return state === 'visible'
    })
    const kept = isMany ? present : present.slice(0, 1)
    for (const { target: id } of present.slice(kept.length))
      this.report(path, `it can have one document only, so ${id} is left out`)
    const references = kept.map((edge) => ({
      documentId: edge.target,
      ...(target === null && { __type: typeOf(edge) }),
    }))
    return attribute.kind === 'media' ? references : { set: references }
  }

  #relation({ name }: EdgeAttribute, entry: number): number {
    const owned = entry === 0 ? this.#blueprint.owned.get(name)?.relation : undefined
    return owned ?? this.#blueprint.relationIn(this.#componentOf(entry), name)
  }

  readonly #components = new Map<number, string>()

  #componentOf(entry: number): string {
    return this.#components.get(entry) ?? ''
  }

  #list(attribute: EntriesAttribute, entries: readonly Entry[], path: Path): unknown {
    const isSingle = attribute.kind === 'component' && !attribute.repeatable
    const list = entries.map((entry, index) =>
      this.#entry(attribute, entry, isSingle ? path : [...path, String(index)]),
    )
    return isSingle ? (list[0] ?? null) : list
  }

  #entry(attribute: EntriesAttribute, entry: Entry, path: Path): Values {
    const component = componentOf(this.#blueprint.model, entry.c)
    this.#components.set(entry.i, component.uid)
    const served = servedValues(entry)
    const body: Values = { id: entry.i, ...(attribute.kind === 'zone' && { __component: component.uid }) }
    for (const one of component.attributes.values()) {
      const { name } = one
      const value = Object.hasOwn(served, name) ? served[name] : jsonValue(one, entry.p?.[name] ?? null)
      this.write(body, one, entry.i, value, entry.n?.[name], [...path, name])
    }
    return body
  }
}

const jsonValue = (attribute: Attribute, stored: Stored | null): unknown =>
  stored === null || attribute.kind !== 'scalar' ? null : toJsonValue(attribute.type, stored)

/** Removes an invalid value: at the top level it is left out, so that the document keeps its own; inside it becomes null. */
function removeAt(data: Values, [name = '', ...rest]: Path) {
  const leaf = rest.pop()
  let parent: unknown = data[name]
  for (const key of rest) parent = memberOf(parent, key)
  if (leaf !== undefined && parent !== null && typeof parent === 'object' && !Array.isArray(parent))
    Object.assign(parent, { [leaf]: null })
  else delete data[name]
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
