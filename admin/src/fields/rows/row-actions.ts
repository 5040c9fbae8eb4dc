/** What can be done with the entries at a path. Each is one step of undo. */

import { type FormPath, join } from '../../form/path.ts'
import { attributesOf, type Schema } from '../../form/schema.ts'
import type { FormStore, Row, Values } from '../../form/store.ts'
import { copyValues, createRow, newValues, rowsAt } from '../../form/values/document-values.ts'

export interface RowActions {
  rows(): readonly Row[]
  /** Adds a new entry, and returns its path. */
  add(component: string): FormPath
  remove(row: Row): void
  duplicate(row: Row): FormPath
  move(row: Row, by: number): void
  reorder(rows: readonly Row[]): void
  /** The values of an entry, for pasting it elsewhere. */
  copy(row: Row): CopiedRow
  paste(copied: CopiedRow): FormPath
}

/** The values of an entry by their path inside it. */
export interface CopiedRow {
  readonly component: string
  readonly values: readonly (readonly [FormPath, unknown])[]
}

export function createRowActions(store: FormStore, schema: Schema, path: FormPath): RowActions {
  const rows = () => rowsAt(store, path)
  const insert = (row: Row, values: Values, at: number) => {
    const next = rows().toSpliced(at, 0, row)
    store.setAll(new Map([...values, [path, next]]))
    return join(path, row.key)
  }
  return {
    rows,
    add(component) {
      const row = createRow(component)
      const values = newValues(schema, attributesOf(schema, component), join(path, row.key))
      return insert(row, values, rows().length)
    },
    remove(row) {
      const removed = [...store.below(join(path, row.key)).keys()].map((each): [FormPath, unknown] => [
        each,
        undefined,
      ])
      store.setAll(new Map([...removed, [path, rows().filter(({ key }) => key !== row.key)]]))
    },
    duplicate(row) {
      const copy = createRow(row.component)
      const from = join(path, row.key)
      const values = copyValues(store.below(from), from, join(path, copy.key))
      return insert(copy, values, rows().findIndex(({ key }) => key === row.key) + 1)
    },
    move(row, by) {
      const from = rows().findIndex(({ key }) => key === row.key)
      const to = from + by
      if (from < 0 || to < 0 || to >= rows().length) return
      store.set(path, rows().toSpliced(from, 1).toSpliced(to, 0, row))
    },
    reorder: (next) => store.set(path, next),
    copy(row) {
      const from = join(path, row.key)
      const values = [...store.below(from)].map(
        ([each, value]) => [each.slice(from.length + 1), value] as const,
      )
      return { component: row.component, values }
    },
    paste({ component, values }) {
      const row = createRow(component)
      const to = join(path, row.key)
      const source = new Map(values.map(([each, value]) => [`from/${each}`, value]))
      return insert(row, copyValues(source, 'from', to), rows().length)
    },
  }
}
