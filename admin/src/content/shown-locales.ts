/** Which locales of a document are shown where there is no room for all of them. */

/** As many as a list shows of each document, missing ones included. */
const FITTING = 4
/** Otherwise, as many of those that the document has. */
const SHOWN = 2
/** A longer list of all locales begins with those that the document has. */
const SCANNED = 10

type Statuses = Readonly<Record<string, unknown>>

/** For a line of a list; `more` are the others that the document has. */
export function localesInLine(codes: readonly string[], statuses: Statuses) {
  if (codes.length <= FITTING) return { shown: codes, more: [] }
  const existing = codes.filter((code) => code in statuses)
  return { shown: existing.slice(0, SHOWN), more: existing.slice(SHOWN) }
}

/** All of them, so that those of the document are found among many. */
export function localesInOrder(
  codes: readonly string[],
  statuses: Statuses,
  current: string,
): readonly string[] {
  if (codes.length <= SCANNED) return codes
  const isFirst = (code: string) => code === current || code in statuses
  return [...codes.filter(isFirst), ...codes.filter((code) => !isFirst(code))]
}
