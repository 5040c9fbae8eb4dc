/** What a migration does to the tables, in words. */
import type { Column, Index, TypeState } from './tables.ts'

/** What changes for one content-type, a sentence each; `before` is null when the type is new. */
export function changesOf(uid: string, before: TypeState | null, after: TypeState): string[] {
  if (!before) return [`${uid}: table ${after.table} created`]
  const former = new Map(before.columns.map((column) => [column.name, column]))
  const kept = new Set(after.columns.map(({ name }) => name))
  return [
    ...after.columns.flatMap((column) => columnChange(column, former.get(column.name))),
    ...before.columns
      .filter(({ name }) => !kept.has(name))
      .map(({ name }) => `column ${name} is no longer used; its content stays`),
    ...missing(after.indexes, before.indexes).map(({ name }) => `index ${name} made`),
    ...missing(before.indexes, after.indexes).map(({ name }) => `index ${name} dropped`),
    ...(before.draftAndPublish === after.draftAndPublish
      ? []
      : [`draft & publish switched ${after.draftAndPublish ? 'on' : 'off'}`]),
    ...(before.localized === after.localized
      ? []
      : [`localization switched ${after.localized ? 'on' : 'off'}`]),
  ].map((change) => `${uid}: ${change}`)
}

function columnChange(column: Column, former: Column | undefined): string[] {
  if (!former) return [`column ${column.name} added`]
  return former.type === column.type ? [] : [`column ${column.name} changed to ${column.type}`]
}

const missing = (indexes: readonly Index[], among: readonly Index[]) => {
  const names = new Set(among.map(({ name }) => name))
  return indexes.filter(({ name }) => !names.has(name))
}
