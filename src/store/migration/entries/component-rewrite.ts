/** How the entries of a component are rewritten: its attributes, matched, with the changes that apply to each. Pure. */
import {
  type Component,
  type EntriesAttribute,
  holdsEntries,
  type ScalarAttribute,
} from '../../../model/model.ts'
import type { Change, MatchedComponent } from '../plan/change.ts'
import { matchAttributes } from '../plan/match-models.ts'

interface ScalarRewrite {
  readonly to: ScalarAttribute
  /** Null if the attribute is new or was not a scalar. */
  readonly from: ScalarAttribute | null
  readonly convertValues: Change | null
  readonly require: Change | null
  readonly tightenRules: Change | null
  readonly makeUnique: Change | null
}

interface NestedRewrite {
  readonly to: EntriesAttribute
  readonly from: EntriesAttribute
  readonly narrowEntries: Change | null
}

export interface ComponentRewrite {
  readonly next: Component
  readonly previousScalars: ReadonlyMap<string, ScalarAttribute>
  readonly scalars: readonly ScalarRewrite[]
  readonly nested: readonly NestedRewrite[]
  /** The change that drops or replaces each previous attribute that loses its content. */
  readonly dropped: ReadonlyMap<string, Change>
  readonly changes: readonly Change[]
  readonly isChanged: boolean
}

/** `changes` are those of this component. */
export function createComponentRewrite(on: MatchedComponent, changes: readonly Change[]): ComponentRewrite {
  const { matched, added, dropped } = matchAttributes(on)
  const previousByName = new Map(matched.map(({ previous, next }) => [next.name, previous]))
  const find = (kind: Change['kind'], name: string) =>
    changes.find((change) => change.kind === kind && 'to' in change && change.to.name === name) ?? null
  const nextAttributes = [...on.next.attributes.values()]
  return {
    next: on.next,
    previousScalars: new Map(
      [...on.previous.attributes].flatMap(([name, attribute]): [string, ScalarAttribute][] =>
        attribute.kind === 'scalar' ? [[name, attribute]] : [],
      ),
    ),
    scalars: nextAttributes
      .filter((to) => to.kind === 'scalar')
      .map((to): ScalarRewrite => {
        const from = previousByName.get(to.name)
        return {
          to,
          from: from?.kind === 'scalar' ? from : null,
          convertValues: find('convertValues', to.name),
          require: find('require', to.name),
          tightenRules: find('tightenRules', to.name),
          makeUnique: find('makeUnique', to.name),
        }
      }),
    nested: nextAttributes.filter(holdsEntries).flatMap((to): NestedRewrite[] => {
      const from = previousByName.get(to.name)
      return from && holdsEntries(from) ? [{ from, to, narrowEntries: find('narrowEntries', to.name) }] : []
    }),
    dropped: new Map(
      changes.flatMap((change): [string, Change][] => {
        if (change.kind === 'dropAttribute') return [[change.attribute.name, change]]
        return change.kind === 'replaceAttribute' ? [[change.from.name, change]] : []
      }),
    ),
    changes,
    isChanged:
      added.length + dropped.length + changes.length > 0 ||
      attributeOrder(on.previous) !== attributeOrder(on.next),
  }
}

/** The served JSON has the attributes in the order of the model. */
const attributeOrder = ({ attributes }: Component) => [...attributes.keys()].join()
