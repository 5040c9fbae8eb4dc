/** The changes between two models, as data. Each holds the previous and the next state that describing and applying it needs. */
import type {
  Attribute,
  Component,
  ContentType,
  EdgeAttribute,
  EntriesAttribute,
  ScalarAttribute,
} from '../../../model/model.ts'

/** A content-type before and after the change. */
export interface MatchedType {
  readonly kind: 'type'
  readonly previous: ContentType
  readonly next: ContentType
}

/** A component before and after the change. */
export interface MatchedComponent {
  readonly kind: 'component'
  readonly previous: Component
  readonly next: Component
}

export type MatchedShape = MatchedType | MatchedComponent

interface AttributeChange<From, To = From> {
  readonly on: MatchedShape
  readonly from: From
  readonly to: To
}

export type Change =
  | { readonly kind: 'addType'; readonly type: ContentType }
  | { readonly kind: 'addComponent'; readonly component: Component }
  | { readonly kind: 'addAttribute'; readonly on: MatchedShape; readonly attribute: Attribute }
  | { readonly kind: 'renameType'; readonly on: MatchedType }
  | { readonly kind: 'renameComponent'; readonly on: MatchedComponent }
  | { readonly kind: 'moveTable'; readonly on: MatchedType }
  | ({ readonly kind: 'renameAttribute' } & AttributeChange<Attribute>)
  | { readonly kind: 'dropType'; readonly type: ContentType }
  | { readonly kind: 'dropComponent'; readonly component: Component }
  | { readonly kind: 'dropAttribute'; readonly on: MatchedShape; readonly attribute: Attribute }
  /** The previous content cannot be converted. */
  | ({ readonly kind: 'replaceAttribute' } & AttributeChange<Attribute>)
  | ({ readonly kind: 'convertValues' } & AttributeChange<ScalarAttribute>)
  /** Some components are no longer allowed, or only one entry is. */
  | ({ readonly kind: 'narrowEntries' } & AttributeChange<EntriesAttribute>)
  /** Only one target per owner, or one owner per target, is allowed from now on. */
  | ({ readonly kind: 'narrowEdges' } & AttributeChange<EdgeAttribute>)
  | ({ readonly kind: 'servePrivate' | 'servePublic' } & AttributeChange<Attribute>)
  | ({ readonly kind: 'require' } & AttributeChange<Attribute>)
  | ({ readonly kind: 'tightenRules' } & AttributeChange<ScalarAttribute>)
  | ({ readonly kind: 'makeUnique' | 'allowDuplicates' } & AttributeChange<ScalarAttribute>)
  /** Locales share one value instead of having their own. */
  | ({ readonly kind: 'shareLocales' } & AttributeChange<Attribute>)
  | {
      readonly kind: 'addIndex' | 'dropIndex'
      readonly on: MatchedType
      readonly attributes: readonly string[]
    }
  /** The attributes of the search index change. */
  | { readonly kind: 'changeSearch'; readonly on: MatchedType }
  | { readonly kind: 'localize' | 'unlocalize'; readonly on: MatchedType }
  | { readonly kind: 'addDrafts' | 'dropDrafts'; readonly on: MatchedType }
  /** Drafts with unpublished changes are hidden when draft & publish is switched off. */
  | { readonly kind: 'hideChanges'; readonly on: MatchedType }
  | { readonly kind: 'makeSingle' | 'makeCollection'; readonly on: MatchedType }

export const allowedComponents = (attribute: EntriesAttribute): readonly string[] =>
  attribute.kind === 'component' ? [attribute.component] : attribute.components

export const allowsMany = (attribute: EntriesAttribute) => attribute.kind === 'zone' || attribute.repeatable

/** Whether entries that `from` allowed may have to be removed. */
export const allowsFewerEntries = (from: EntriesAttribute, to: EntriesAttribute) =>
  (allowsMany(from) && !allowsMany(to)) ||
  allowedComponents(from).some((uid) => !allowedComponents(to).includes(uid))
