/**
 * A component as it is stored: JSON on the row of its document, a list of entries in the column of the attribute
 * (one entry at most for a single component; null when never set).
 */
export interface Entry {
  /** Its id, shared by the draft and the published version. */
  readonly i: number
  readonly d: string
  /** uid of its component. */
  readonly c: string
  /** The served JSON of its public scalars, as a fragment that starts with a comma; '' when it has none. */
  readonly s: string
  /** Stored values of private attributes, by name. */
  readonly p?: Readonly<Record<string, string | number | null>>
  /** Nested components and zones, by attribute name. */
  readonly n?: Readonly<Record<string, readonly Entry[]>>
}
