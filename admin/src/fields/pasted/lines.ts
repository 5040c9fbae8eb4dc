/**
 * What was pasted, as a flat sequence of lines: what blocks and Markdown can say, without the styles and scripts of where it
 * came from.
 */

export const PASTED_MARKS = ['bold', 'italic', 'underline', 'strikethrough', 'code'] as const
export type PastedMark = (typeof PASTED_MARKS)[number]

/** A piece of text whose letters all look alike. */
export interface PastedRun {
  readonly text: string
  readonly marks: readonly PastedMark[]
  readonly url: string | null
}

export interface PastedLine {
  readonly kind: 'paragraph' | 'heading' | 'quote' | 'code' | 'item' | 'row'
  /** Of a heading, from 1; of a list item, the depth of its list from 0. */
  readonly level: number
  /** Whether a list item is numbered. */
  readonly isOrdered: boolean
  /** One list of runs; several for the cells of a row of a table. */
  readonly cells: readonly (readonly PastedRun[])[]
}

/** Without blanks at both ends and empty runs, and with neighbours that look alike joined. */
export function tidyRuns(runs: readonly PastedRun[]): readonly PastedRun[] {
  const joined: PastedRun[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    if (last && last.url === run.url && last.marks.join() === run.marks.join())
      joined[joined.length - 1] = { ...last, text: last.text + run.text }
    else joined.push(run)
  }
  return trimEnd(trimStart(joined)).filter(({ text }) => text !== '')
}

function trimStart(runs: readonly PastedRun[]): readonly PastedRun[] {
  const [first, ...rest] = runs
  if (!first) return runs
  const text = first.text.trimStart()
  return text === '' ? trimStart(rest) : [{ ...first, text }, ...rest]
}

function trimEnd(runs: readonly PastedRun[]): readonly PastedRun[] {
  const last = runs.at(-1)
  if (!last) return runs
  const text = last.text.trimEnd()
  return text === '' ? trimEnd(runs.slice(0, -1)) : [...runs.slice(0, -1), { ...last, text }]
}
