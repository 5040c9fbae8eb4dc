/** Which files are selected, as in a file manager. Does not know the page. */

export interface Selection {
  readonly ids: ReadonlySet<string>
  /** Where a range starts. */
  readonly anchor: string | null
}

export const NOTHING: Selection = { ids: new Set(), anchor: null }

/** Adds a file to the selection, or removes it. */
export function toggle({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/** Adds the files from the anchor to this one, in the order in which they are shown. */
export function extendTo({ ids, anchor }: Selection, id: string, shown: readonly string[]): Selection {
  const from = anchor === null ? -1 : shown.indexOf(anchor)
  const to = shown.indexOf(id)
  if (from < 0 || to < 0) return { ids: new Set([...ids, id]), anchor: id }
  return { ids: new Set([...ids, ...shown.slice(Math.min(from, to), Math.max(from, to) + 1)]), anchor }
}

export const selectAll = (shown: readonly string[]): Selection => ({
  ids: new Set(shown),
  anchor: shown[0] ?? null,
})

/** The index that a key of the keyboard moves the focus to; null for other keys. */
export function movedIndex(key: string, index: number, columns: number, count: number): number | null {
  const step: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    Home: -index,
    End: count - 1 - index,
  }
  const by = step[key]
  if (by === undefined) return null
  const next = index + by
  // Above the first row and below the last one there is nothing.
  if (next < 0 || next >= count) return index
  return next
}
