/** The tables that a result depends on; a cached result is valid until one of them changes. */
import { type Model, typeOf, USER } from '../model/model.ts'
import { EDGES } from '../store/tables/layout.ts'
import type { Condition, Populate, Query, Selection, Sort, Step } from './query-tree.ts'

/** The tables that the documents of a query depend on, or only its count. */
export function queriedTables(query: Query, model: Model, of: 'documents' | 'count'): string[] {
  const found = new Set<string>([typeOf(model, query.type).table])

  const step = (node: Step): void => {
    if (node.kind === 'entries') return
    found.add(typeOf(model, node.target).table)
    if (node.kind === 'edges') found.add(EDGES)
    where(node.visible)
  }
  const where = (node: Condition | null): void => {
    if (node === null) return
    switch (node.kind) {
      case 'and':
      case 'or':
        node.all.forEach(where)
        return
      case 'not':
        where(node.of)
        return
      case 'through':
        step(node.step)
        where(node.where)
        return
      case 'some':
        step(node.step)
        return
      case 'unattached':
        found.add(EDGES)
        return
      default:
        return
    }
  }
  const sort = (terms: readonly Sort[]) => {
    for (const term of terms) term.steps.forEach(step)
  }
  const populate = (node: Populate): void => {
    switch (node.kind) {
      case 'related':
      case 'component':
        step(node.step)
        where(node.where)
        sort(node.sort)
        select(node.select)
        return
      case 'count':
        step(node.step)
        where(node.where)
        for (const one of node.of ?? []) where(one.where)
        return
      case 'author':
        found.add(typeOf(model, USER).table)
        return
      case 'zone':
        for (const one of node.of) {
          where(one.where)
          sort(one.sort)
          select(one.select)
        }
        return
      case 'morph':
      case 'morphCount':
      case 'usages':
        found.add(EDGES)
        for (const one of node.of) {
          found.add(typeOf(model, one.type).table)
          where(one.where)
          if ('sort' in one) sort(one.sort)
          if ('select' in one) select(one.select)
        }
    }
  }
  const select = (selection: Selection) => selection.populate.forEach(populate)

  where(query.where)
  if (of === 'documents') {
    sort(query.sort)
    select(query.select)
    if (query.editor) for (const table of [EDGES, typeOf(model, USER).table]) found.add(table)
  }
  return [...found].sort()
}
