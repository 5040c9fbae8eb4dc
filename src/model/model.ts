/** The model: content-types, components and their attributes as plain data, parsed from schema files by `parse-model.ts`. */
import type { SchemaSource } from '../project/source.ts'
import { NO_RULES, type ScalarRules } from './scalar-type.ts'
import type { ScalarTypeName } from './scalars/index.ts'

export type { ScalarTypeName } from './scalars/index.ts'

export interface AttributeBase {
  readonly name: string
  readonly required: boolean
  readonly private: boolean
  /** Whether each locale has its own value. Always false on types that are not localized. */
  readonly localized: boolean
  /** Present if callers cannot write it: only the server and the project's own code can. */
  readonly writable?: false
  /** Present if `_q` does not search it. */
  readonly searchable?: false
  /** The former name, when the schema declares a rename. */
  readonly renamedFrom?: string
}

/** A value in its own typed column. */
export interface ScalarAttribute extends AttributeBase, ScalarRules {
  readonly kind: 'scalar'
  readonly type: ScalarTypeName
}

export type MediaKind = 'images' | 'videos' | 'audios' | 'files'

/** One file or an ordered list of files. */
export interface MediaAttribute extends AttributeBase {
  readonly kind: 'media'
  readonly multiple: boolean
  readonly allowedTypes: readonly MediaKind[]
}

/**
 * A relation. Its edges are stored once, for the owning side; the inverse side reads the same edges backwards.
 * A polymorphic owner (`morphToOne`, `morphToMany`) has no fixed target; its inverses are `morphOne`/`morphMany`.
 */
export interface RelationAttribute extends AttributeBase {
  readonly kind: 'relation'
  readonly side: 'owner' | 'inverse'
  /** Whether this side shows a list. */
  readonly many: boolean
  /** uid of the content-type at the other end; null on a polymorphic owner. */
  readonly target: string | null
  /** Attribute at the other end: for an inverse its owner, for an owner its inverse or null when one-way. */
  readonly other: string | null
  /** Whether the edges are polymorphic: they carry the type of their target. */
  readonly morph: boolean
  /**
   * Whether a target can have one owner only (two-way `oneToOne`, or `oneToMany` on the owning side): a new owner takes it
   * from the old one. The same on both sides.
   */
  readonly exclusive: boolean
}

/** A component: an embedded object, or a list of them. */
export interface ComponentAttribute extends AttributeBase {
  readonly kind: 'component'
  readonly component: string
  readonly repeatable: boolean
  readonly min: number | null
  readonly max: number | null
}

/** A dynamic zone: a list of entries of several components. */
export interface ZoneAttribute extends AttributeBase {
  readonly kind: 'zone'
  readonly components: readonly string[]
  readonly min: number | null
  readonly max: number | null
}

export type Attribute =
  | ScalarAttribute
  | MediaAttribute
  | RelationAttribute
  | ComponentAttribute
  | ZoneAttribute

/** An attribute whose content is stored as edges. */
export type EdgeAttribute = RelationAttribute | MediaAttribute

/** An attribute that holds component entries. */
export type EntriesAttribute = ComponentAttribute | ZoneAttribute

export const holdsEntries = (attribute: Attribute): attribute is EntriesAttribute =>
  attribute.kind === 'component' || attribute.kind === 'zone'

/** Whether the attribute is stored as edges that start at its document. */
export const ownsEdges = (attribute: Attribute): attribute is EdgeAttribute =>
  attribute.kind === 'media' || (attribute.kind === 'relation' && attribute.side === 'owner')

/** What content-types and components have in common: named attributes in declared order. */
export interface Shape {
  readonly uid: string
  /** The former uid, when the schema declares a rename. */
  readonly renamedFrom?: string
  readonly attributes: ReadonlyMap<string, Attribute>
}

export interface Component extends Shape {
  readonly kind: 'component'
  readonly category: string
  readonly displayName: string
}

export interface ContentType extends Shape {
  readonly kind: 'collection' | 'single'
  readonly singular: string
  readonly plural: string
  readonly displayName: string
  readonly description: string
  /** Name of its table. */
  readonly table: string
  readonly draftAndPublish: boolean
  /** Whether the saved states of its documents are kept, if the configuration enables history. */
  readonly history: boolean
  readonly localized: boolean
  /** Whether endpoints are generated; built-in types (files, users, roles) have their own interfaces. */
  readonly generated: boolean
  /** Present if who created and last changed a document can be populated. */
  readonly showsCreators?: true
  /** The attributes in its search index; absent if it has none. */
  readonly search?: readonly string[]
  /** Extra indexes declared in `options.indexes`: lists of attribute names. */
  readonly indexes: readonly (readonly string[])[]
}

export interface Model {
  /** By uid, such as `api::restaurant.restaurant`. */
  readonly types: ReadonlyMap<string, ContentType>
  /** By uid, such as `shared.seo`. */
  readonly components: ReadonlyMap<string, Component>
  /** By first path segment: plural of collections, singular of single types; generated ones only. */
  readonly endpoints: ReadonlyMap<string, ContentType>
  readonly locales: Locales
  /** The schema files it was read from, in their order. */
  readonly sources: readonly SchemaSource[]
}

export interface Locales {
  readonly default: string
  readonly codes: readonly string[]
  /** What people call a locale, by code. */
  readonly names?: ReadonlyMap<string, string>
}

export const FILE = 'plugin::upload.file'
export const USER = 'plugin::users-permissions.user'
export const ROLE = 'plugin::users-permissions.role'

/** The content-type with this uid, which must exist. */
export function typeOf(model: Model, uid: string): ContentType {
  const type = model.types.get(uid)
  if (!type) throw new Error(`No content-type ${uid} in the model`)
  return type
}

/** The component with this uid, which must exist. */
export function componentOf(model: Model, uid: string): Component {
  const component = model.components.get(uid)
  if (!component) throw new Error(`No component ${uid} in the model`)
  return component
}

/** A scalar attribute without rules. */
export const plainScalar = (name: string, type: ScalarTypeName): ScalarAttribute => ({
  ...NO_RULES,
  kind: 'scalar',
  name,
  type,
  private: false,
  localized: false,
})
