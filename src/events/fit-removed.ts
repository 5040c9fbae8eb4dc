/**
 * Makes removed content fit the present columns. It is stored as it was, and an attribute may have another type by now. Pure.
 */
import type { Blueprint } from '../documents/rows/blueprint.ts'
import type { ScalarAttribute } from '../model/model.ts'
import { NO_RULES, type Stored } from '../model/scalar-type.ts'
import { scalarTypes } from '../model/scalars/index.ts'
import { isObject } from '../project/values.ts'
import { columnOf } from '../store/tables/layout.ts'

export interface FittingContent {
  /** JSON lists of rows and edges by column. */
  readonly rows: string
  readonly edges: string
  /** The columns that cannot hold the former value, which is left out. */
  readonly unfit: readonly string[]
}

/** `removed` is what `outbox/removed-content.ts` stores. */
export function fitRemoved({ scalars, lists }: Blueprint, removed: string): FittingContent {
  const content: unknown = JSON.parse(removed)
  const listOf = (name: string): unknown[] => {
    const list = isObject(content) ? content[name] : null
    return Array.isArray(list) ? list : []
  }
  const unfit = new Set<string>()
  const rows = listOf('rows')
    .filter(isObject)
    .map((row) => {
      const fitting: Record<string, unknown> = { ...row }
      const set = (name: string, fit: (value: unknown) => unknown) => {
        const column = columnOf(name)
        const value = row[column] ?? null
        fitting[column] = value === null ? null : fit(value)
        if (value !== null && fitting[column] === null) unfit.add(column)
      }
      for (const attribute of scalars) set(attribute.name, (value) => fittingScalar(attribute, value))
      for (const { name } of lists) set(name, (value) => (Array.isArray(value) ? value : null))
      return fitting
    })
  const edges = JSON.stringify(listOf('edges'))
  return { rows: `[${rows.map(rowJson).join()}]`, edges, unfit: [...unfit] }
}

/** The value as the type of the attribute stores it; null if it cannot. */
function fittingScalar({ type }: ScalarAttribute, value: unknown): Stored | null {
  const { family, parse } = scalarTypes[type]
  if (family === 'text') return typeof value === 'string' || typeof value === 'number' ? String(value) : null
  // What is stored is the text of the JSON.
  if (family === 'json') return typeof value === 'string' && isJson(value) ? value : null
  const parsed = parse(value, NO_RULES, 'draft')
  return parsed.ok ? parsed.value : null
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A big integer is a JSON number with all its digits, which both engines read exactly. */
const rowJson = (row: Readonly<Record<string, unknown>>) =>
  `{${Object.entries(row)
    .map(
      ([column, value]) =>
        `${JSON.stringify(column)}:${typeof value === 'bigint' ? value : JSON.stringify(value)}`,
    )
    .join()}}`
