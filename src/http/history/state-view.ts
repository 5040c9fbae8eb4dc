/**
 * What a caller may see of a saved state, attribute by attribute: relations as the documentIds of their targets, in order,
 * with those marked that no longer exist. Used to compare states, and to list what is missing.
 */
import type { ReadState } from '../../documents/history/read-states.ts'
import { type Blueprint, blueprintOf } from '../../documents/rows/blueprint.ts'
import { toJsonValue } from '../../documents/transfer/values.ts'
import { servedValues } from '../../documents/versions/entries.ts'
import { type Edge, edgesOf, type Version } from '../../documents/versions/version.ts'
import {
  type Attribute,
  type Component,
  type ContentType,
  componentOf,
  FILE,
  type RelationAttribute,
} from '../../model/model.ts'
import { isServed } from '../../model/privacy.ts'
import type { Scope } from '../../query/scope.ts'
import type { Entry } from '../../store/tables/entry.ts'
import type { HistoryCall } from './history-call.ts'
import { type KnownTargets, readTargets } from './known-targets.ts'

/** A document at the end of a relation. */
export interface TargetView {
  readonly documentId: string
  readonly type: string
  readonly missing?: true
}

export interface EntryView {
  readonly id: number
  readonly component: string
  readonly attributes: ShapeView
}

/** The value of an attribute; lists are in order. */
export type AttributeView =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'targets'; readonly targets: readonly TargetView[] }
  | { readonly kind: 'entries'; readonly entries: readonly EntryView[] }

export type ShapeView = ReadonlyMap<string, AttributeView>

/** The views of some states of one document. */
export async function viewStates(
  call: HistoryCall,
  scope: Scope,
  states: readonly ReadState[],
): Promise<ShapeView[]> {
  const { server, type } = call
  const blueprint = blueprintOf(server.layout(), type)
  const found = states.flatMap(({ state }) => targetsOf(blueprint, state.version))
  const targets = await readTargets(server, scope, found)
  return states.map(({ state: { version } }) => new Viewer(blueprint, scope, version, targets).view())
}

/** Every document that a version refers to, with its type. */
function targetsOf(blueprint: Blueprint, version: Version): { type: string; documentId: string }[] {
  const viewer = new Viewer(blueprint, null, version, null)
  const found: { type: string; documentId: string }[] = []
  const collect = (shape: ShapeView) => {
    for (const view of shape.values()) {
      if (view.kind === 'targets') found.push(...view.targets)
      if (view.kind === 'entries') for (const entry of view.entries) collect(entry.attributes)
    }
  }
  collect(viewer.view())
  return found
}

class Viewer {
  readonly #blueprint: Blueprint
  /** Null for everything. */
  readonly #scope: Scope | null
  readonly #version: Version
  readonly #targets: KnownTargets | null

  constructor(blueprint: Blueprint, scope: Scope | null, version: Version, targets: KnownTargets | null) {
    this.#blueprint = blueprint
    this.#scope = scope
    this.#version = version
    this.#targets = targets
  }

  view(): ShapeView {
    const { type, owned } = this.#blueprint
    const fields = this.#scope?.rule(type.uid, 'findOne')?.fields
    const isShown = ({ name }: Attribute) => !fields || fields.includes(name)
    return this.#shape(type, isShown, 0, (name) => owned.get(name)?.relation ?? null, {
      value: (name) => this.#version.values.get(name) ?? null,
      list: (name) => this.#version.lists.get(name)?.entries ?? [],
    })
  }

  #shape(
    { attributes }: ContentType | Component,
    isShown: (attribute: Attribute) => boolean,
    entry: number,
    relationOf: (name: string) => number | null,
    content: {
      value(name: string): string | number | bigint | null
      list(name: string): readonly Entry[]
      served?(name: string): unknown
    },
  ): ShapeView {
    const shape = new Map<string, AttributeView>()
    for (const attribute of attributes.values()) {
      const { name } = attribute
      if (!isServed(attribute) || !isShown(attribute)) continue
      switch (attribute.kind) {
        case 'scalar': {
          const stored = content.value(name)
          const value = content.served
            ? (content.served(name) ?? null)
            : stored === null
              ? null
              : toJsonValue(attribute.type, stored)
          shape.set(name, { kind: 'value', value })
          break
        }
        case 'media':
        case 'relation': {
          const relation =
            attribute.kind === 'relation' && attribute.side === 'inverse' ? null : relationOf(name)
          if (relation === null || !this.#mayFind(attribute)) break
          const edges = edgesOf(this.#version, entry, relation)
          const fixed = attribute.kind === 'relation' ? attribute.target : FILE
          shape.set(name, { kind: 'targets', targets: edges.flatMap((edge) => this.#target(edge, fixed)) })
          break
        }
        case 'component':
        case 'zone':
          shape.set(name, { kind: 'entries', entries: content.list(name).map((one) => this.#entry(one)) })
      }
    }
    return shape
  }

  /** Files can be seen with every document that they are attached to. */
  #mayFind(attribute: Attribute & { readonly kind: 'media' | 'relation' }): boolean {
    const target = attribute.kind === 'relation' ? targetOf(attribute) : null
    return target === null || !this.#scope || this.#scope.may(target, 'find')
  }

  #target({ target: documentId, targetType }: Edge, fixed: string | null): TargetView[] {
    const type = targetType ?? fixed ?? ''
    switch (this.#targets?.stateOf(type, documentId)) {
      case 'hidden':
        return []
      case 'missing':
        return [{ documentId, type, missing: true }]
      default:
        return [{ documentId, type }]
    }
  }

  #entry(entry: Entry): EntryView {
    const { model, relationIn } = this.#blueprint
    const component = componentOf(model, entry.c)
    const served = servedValues(entry)
    const attributes = this.#shape(
      component,
      () => true,
      entry.i,
      (name) => relationIn(component.uid, name),
      {
        value: () => null,
        served: (name) => served[name],
        list: (name) => entry.n?.[name] ?? [],
      },
    )
    return { id: entry.i, component: component.uid, attributes }
  }
}

const targetOf = ({ target }: RelationAttribute) => target
