/**
 * What the client knows of a project: the `Schema` that `octavo types` writes has this form. Types only; nothing of it
 * is there when the program runs.
 */

/** What content-types and components have in common. */
export interface Shape {
  /** What is shown without being asked for, as it is once published. */
  fields: object
  /** The type of the attribute behind each field, such as `'integer'`; `'id'` for the numeric id. */
  attributes: object
  /** What `populate` can add, each a `Link`. */
  links: object
  /** Names that published content always has. */
  required: string
}

export interface DocumentShape extends Shape {
  input: object
  /** Whether its documents have drafts. */
  drafts: boolean
}

/** One thing that `populate` can add. */
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

/** By the names that stand in paths. */
export interface Schema {
  collections: object
  singles: object
  file: Shape
}

/** Which of the names in `From` are content-types; all of them, told to the compiler. */
export type Named<From extends object, Name extends keyof From> = From[Name] extends DocumentShape
  ? From[Name]
  : never
