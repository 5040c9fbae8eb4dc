/**
 * A component entry as it is stored. The column of a component or zone holds a JSON list of entries: at most one for a
 * single component, null if it was never set.
 */
export interface Entry {
  /** Its id, shared by the draft and the published version. */
  readonly i: number
  readonly d: string
  /** uid of its component. */
  readonly c: string
  /** The JSON fragment of its public scalars, which starts with a comma; '' if it has none. */
  readonly s: string
  /** Stored values of private attributes, by name. */
  readonly p?: Readonly<Record<string, string | number | null>>
  /** Nested components and zones, by attribute name. */
  readonly n?: Readonly<Record<string, readonly Entry[]>>
}
