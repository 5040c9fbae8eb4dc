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

export type ListAttribute = ComponentAttribute | ZoneAttribute
export type EdgeAttribute = RelationAttribute | MediaAttribute

/** A content-type as it was and as it will be. */
export interface KeptType {
  readonly kind: 'type'
  readonly former: ContentType
  readonly next: ContentType
}

/** A component as it was and as it will be. */
export interface KeptComponent {
  readonly kind: 'component'
  readonly former: Component
  readonly next: Component
}

/** What an attribute is on. */
export type Holder = KeptType | KeptComponent

interface OnAttribute<From, To = From> {
  readonly on: Holder
  readonly from: From
  readonly to: To
}

export type Change =
  | { readonly kind: 'addType'; readonly type: ContentType }
  | { readonly kind: 'addComponent'; readonly component: Component }
  | { readonly kind: 'addAttribute'; readonly on: Holder; readonly attribute: Attribute }
  | { readonly kind: 'renameType'; readonly on: KeptType }
  | { readonly kind: 'renameComponent'; readonly on: KeptComponent }
  | { readonly kind: 'moveTable'; readonly on: KeptType }
  | ({ readonly kind: 'renameAttribute' } & OnAttribute<Attribute>)
  | { readonly kind: 'dropType'; readonly type: ContentType }
  | { readonly kind: 'dropComponent'; readonly component: Component }
  | { readonly kind: 'dropAttribute'; readonly on: Holder; readonly attribute: Attribute }
  /** The content of the former attribute means nothing to the new one. */
  | ({ readonly kind: 'replaceAttribute' } & OnAttribute<Attribute>)
  | ({ readonly kind: 'convertValues' } & OnAttribute<ScalarAttribute>)
  /** Entries of components that are no longer allowed, or more than one where one is. */
  | ({ readonly kind: 'narrowEntries' } & OnAttribute<ListAttribute>)
  /** More than one target, or more than one owner, where one is allowed. */
  | ({ readonly kind: 'narrowEdges' } & OnAttribute<EdgeAttribute>)
  | ({ readonly kind: 'servePrivate' | 'servePublic' } & OnAttribute<Attribute>)
  | ({ readonly kind: 'require' } & OnAttribute<Attribute>)
  | ({ readonly kind: 'tightenRules' } & OnAttribute<ScalarAttribute>)
  | ({ readonly kind: 'makeUnique' | 'allowDuplicates' } & OnAttribute<ScalarAttribute>)
  /** Locales that had values of their own share one. */
  | ({ readonly kind: 'shareLocales' } & OnAttribute<Attribute>)
  | { readonly kind: 'addIndex' | 'dropIndex'; readonly on: KeptType; readonly attributes: readonly string[] }
  | { readonly kind: 'localize' | 'unlocalize'; readonly on: KeptType }
  | { readonly kind: 'addDrafts' | 'dropDrafts'; readonly on: KeptType }
  /** What was changed in the draft of a published document and never published. */
  | { readonly kind: 'hideChanges'; readonly on: KeptType }
  | { readonly kind: 'makeSingle' | 'makeCollection'; readonly on: KeptType }

export const isList = (attribute: Attribute): attribute is ListAttribute =>
  attribute.kind === 'component' || attribute.kind === 'zone'

/** Whether the attribute is kept as edges of its own document. */
export const ownsEdges = (attribute: Attribute): attribute is EdgeAttribute =>
  attribute.kind === 'media' || (attribute.kind === 'relation' && attribute.side === 'owner')

/** The components that a list may hold. */
export const allowedIn = (attribute: ListAttribute): readonly string[] =>
  attribute.kind === 'component' ? [attribute.component] : attribute.components

/** Whether a list may hold more than one entry. */
export const isMany = (attribute: ListAttribute) => attribute.kind === 'zone' || attribute.repeatable
