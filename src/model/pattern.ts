/** The `regex` of a schema. */

export interface Pattern {
  readonly source: string
  test(text: string): boolean
}
