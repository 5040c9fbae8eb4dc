/** What can change between two models, as data. Each change carries both sides, so that it can be told and applied. */
import type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentType,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from '../../../model/model.ts'

export type EntriesAttribute = ComponentAttribute | ZoneAttribute
export type EdgeAttribute = RelationAttribute | MediaAttribute

/** A content-type as it was and as it will be. */
export interface MatchedType {
  readonly kind: 'type'
  readonly previous: ContentType
  readonly next: ContentType
}

/** A component as it was and as it will be. */
export interface MatchedComponent {
  readonly kind: 'component'
  readonly previous: Component
  readonly next: Component
}

/** What an attribute is on. */
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
  /** The content of the previous attribute means nothing to the new one. */
  | ({ readonly kind: 'replaceAttribute' } & AttributeChange<Attribute>)
  | ({ readonly kind: 'convertValues' } & AttributeChange<ScalarAttribute>)
  /** Entries of components that are no longer allowed, or more than one where one is. */
  | ({ readonly kind: 'narrowEntries' } & AttributeChange<EntriesAttribute>)
  /** More than one target, or more than one owner, where one is allowed. */
  | ({ readonly kind: 'narrowEdges' } & AttributeChange<EdgeAttribute>)
  | ({ readonly kind: 'servePrivate' | 'servePublic' } & AttributeChange<Attribute>)
  | ({ readonly kind: 'require' } & AttributeChange<Attribute>)
  | ({ readonly kind: 'tightenRules' } & AttributeChange<ScalarAttribute>)
  | ({ readonly kind: 'makeUnique' | 'allowDuplicates' } & AttributeChange<ScalarAttribute>)
  /** Locales that had values of their own share one. */
  | ({ readonly kind: 'shareLocales' } & AttributeChange<Attribute>)
  | {
      readonly kind: 'addIndex' | 'dropIndex'
      readonly on: MatchedType
      readonly attributes: readonly string[]
    }
  | { readonly kind: 'localize' | 'unlocalize'; readonly on: MatchedType }
  | { readonly kind: 'addDrafts' | 'dropDrafts'; readonly on: MatchedType }
  /** What was changed in the draft of a published document and never published. */
  | { readonly kind: 'hideChanges'; readonly on: MatchedType }
  | { readonly kind: 'makeSingle' | 'makeCollection'; readonly on: MatchedType }

export const holdsEntries = (attribute: Attribute): attribute is EntriesAttribute =>
  attribute.kind === 'component' || attribute.kind === 'zone'

/** Whether the attribute is kept as edges of its own document. */
export const ownsEdges = (attribute: Attribute): attribute is EdgeAttribute =>
  attribute.kind === 'media' || (attribute.kind === 'relation' && attribute.side === 'owner')

/** The components that a list may hold. */
export const allowedComponents = (attribute: EntriesAttribute): readonly string[] =>
  attribute.kind === 'component' ? [attribute.component] : attribute.components

/** Whether a list may hold more than one entry. */
export const allowsMany = (attribute: EntriesAttribute) => attribute.kind === 'zone' || attribute.repeatable
