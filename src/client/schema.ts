/**
 * What the client knows of a project: the `Schema` that `octavo types` generates extends these types. They do not exist
 * at run time.
 */

/** The common part of content-types and components. */
export interface Shape {
  /** The fields in every response, with the types they have in published versions. */
  fields: object
  /** The type of the attribute behind each field, such as `'integer'`; `'id'` for the numeric id. */
  attributes: object
  /** What `populate` can add, each a `Link`. */
  links: object
  /** Names of attributes that published versions always have. */
  required: string
}

export interface DocumentShape extends Shape {
  input: object
  /** Whether its documents have drafts. */
  drafts: boolean
}

/** A relation, media attribute, component or zone that `populate` can add. */
export type Link =
  | { toOne: DocumentShape }
  | { toMany: DocumentShape }
  | { file: DocumentShape }
  | { files: DocumentShape }
  | { component: Shape }
  | { components: Shape }
  | { zone: object }
  | { morphOne: object }
  | { morphMany: object }

/** Content-types by their name in paths. */
export interface Schema {
  collections: object
  singles: object
  file: Shape
  /** The codes of the locales. */
  locales?: string
}

/** The locales of the project, or any string if the schema does not list them. */
export type LocaleOf<Project extends Schema> = Project extends { locales: infer Locale extends string }
  ? Locale
  : string

/** The content-type with a name. All names are content-types, but the compiler does not know that. */
export type Named<From extends object, Name extends keyof From> = From[Name] extends DocumentShape
  ? From[Name]
  : never
