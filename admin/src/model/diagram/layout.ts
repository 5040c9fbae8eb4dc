/**
 * Places content-types and components in columns: what refers to others stands to the left of them, and the order within
 * a column keeps lines short. Pure.
 */
import { referencesOf, type Schema } from '../draft/schema.ts'

export const BOX_WIDTH = 196
export const HEAD_HEIGHT = 30
export const ROW_HEIGHT = 19
const PADDING = 6
const COLUMN_GAP = 76
const GAP = 18
const MARGIN = 12
/** A column with more boxes is continued in another. */
const MAX_PER_COLUMN = 10
const SWEEPS = 6

export interface Box {
  readonly schema: Schema
  readonly x: number
  readonly y: number
  readonly height: number
  /** The attributes that refer to others, each a line of the box. */
  readonly rows: readonly string[]
}

export interface Line {
  readonly from: string
  readonly attribute: string
  readonly to: string
}

export interface Layout {
  readonly boxes: ReadonlyMap<string, Box>
  readonly lines: readonly Line[]
  readonly width: number
  readonly height: number
}

/** Each relation once: from the side that stores it. */
function linesOf(schemas: readonly Schema[]): readonly Line[] {
  const known = new Set(schemas.map(({ uid }) => uid))
  return schemas.flatMap(({ uid, attributes }) =>
    Object.entries(attributes)
      .filter(([, { mappedBy, morphBy }]) => mappedBy === undefined && morphBy === undefined)
      .flatMap(([attribute, schema]) =>
        referencesOf(schema)
          .filter((to) => known.has(to))
          .map((to) => ({ from: uid, attribute, to })),
      ),
  )
}

export function layOut(schemas: readonly Schema[]): Layout {
  const lines = linesOf(schemas)
  const columns = orderColumns(splitColumns(columnsOf(schemas, lines)), lines)
  const rowsOf = (uid: string) => [
    ...new Set(lines.filter(({ from }) => from === uid).map((line) => line.attribute)),
  ]
  const heightOf = (uid: string) => {
    const rows = rowsOf(uid).length
    return HEAD_HEIGHT + rows * ROW_HEIGHT + (rows > 0 ? PADDING : 0)
  }
  const columnHeight = (column: readonly string[]) =>
    column.reduce((sum, uid) => sum + heightOf(uid) + GAP, -GAP)
  const height = Math.max(0, ...columns.map(columnHeight))
  const byUid = new Map(schemas.map((schema) => [schema.uid, schema]))
  const boxes = new Map<string, Box>()
  for (const [index, column] of columns.entries()) {
    let y = MARGIN + (height - columnHeight(column)) / 2
    for (const uid of column) {
      const schema = byUid.get(uid)
      if (schema)
        boxes.set(uid, {
          schema,
          x: MARGIN + index * (BOX_WIDTH + COLUMN_GAP),
          y,
          height: heightOf(uid),
          rows: rowsOf(uid),
        })
      y += heightOf(uid) + GAP
    }
  }
  return {
    boxes,
    lines,
    width: 2 * MARGIN + columns.length * (BOX_WIDTH + COLUMN_GAP) - COLUMN_GAP,
    height: height + 2 * MARGIN,
  }
}

type Columns = readonly (readonly string[])[]

/** The shortest way that leads to a schema decides its column, which keeps the diagram narrow. */
function columnsOf(schemas: readonly Schema[], lines: readonly Line[]): Columns {
  const uids = schemas.map(({ uid }) => uid)
  const between = lines.filter(({ from, to }) => from !== to)
  const isRelated = new Set(between.flatMap(({ from, to }) => [from, to]))
  const isReferredTo = new Set(between.map(({ to }) => to))
  const related = uids.filter((uid) => isRelated.has(uid))
  const depth = new Map<string, number>()
  const visit = (start: readonly string[]) => {
    let level = 0
    for (let column = start; column.length > 0; level++) {
      for (const uid of column) depth.set(uid, level)
      const next = between.filter(({ from, to }) => column.includes(from) && !depth.has(to))
      column = [...new Set(next.map(({ to }) => to))]
    }
  }
  visit(related.filter((uid) => !isReferredTo.has(uid)))
  // Circles that nothing leads to.
  for (const uid of related) if (!depth.has(uid)) visit([uid])
  const last = Math.max(-1, ...depth.values())
  const columns = Array.from({ length: last + 1 }, (_, level) =>
    uids.filter((uid) => depth.get(uid) === level),
  )
  // What has no relations stands apart.
  return [...columns, uids.filter((uid) => !depth.has(uid))].filter((column) => column.length > 0)
}

const splitColumns = (columns: Columns): Columns =>
  columns.flatMap((column) => {
    const parts = Math.ceil(column.length / MAX_PER_COLUMN)
    const size = Math.ceil(column.length / parts)
    return Array.from({ length: parts }, (_, part) => column.slice(part * size, (part + 1) * size))
  })

/** Moves boxes beside those that they are related to, from both sides in turn. */
function orderColumns(columns: Columns, lines: readonly Line[]): Columns {
  let ordered = columns
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const places = new Map(
      ordered.flatMap((column) => column.map((uid, index) => [uid, (index + 0.5) / column.length] as const)),
    )
    const wanted = (uid: string) => {
      const neighbours = lines
        .flatMap(({ from, to }) => (from === uid ? to : to === uid ? from : []))
        .filter((other) => other !== uid)
        .flatMap((other) => places.get(other) ?? [])
      if (neighbours.length === 0) return places.get(uid) ?? 0
      return neighbours.reduce((sum, place) => sum + place, 0) / neighbours.length
    }
    ordered = ordered.map((column) => column.toSorted((one, other) => wanted(one) - wanted(other)))
  }
  return ordered
}

/** The curve of a line, from the row of its attribute to the head of what it refers to. */
export function pathOf({ boxes }: Layout, { from, attribute, to }: Line): string {
  const [source, target] = [boxes.get(from), boxes.get(to)]
  if (!source || !target) return ''
  const startY = source.y + HEAD_HEIGHT + (source.rows.indexOf(attribute) + 0.5) * ROW_HEIGHT
  const endY = target.y + HEAD_HEIGHT / 2
  const isForward = target.x > source.x
  // Within a column and backwards, lines leave and arrive on the left or right alone.
  const startX = isForward || target.x === source.x ? source.x + BOX_WIDTH : source.x
  const endX = isForward ? target.x : target.x + BOX_WIDTH
  const bend = Math.max(36, Math.abs(endX - startX) / 2)
  const startBend = startX === source.x ? -bend : bend
  const endBend = endX === target.x ? -bend : bend
  return `M${startX} ${startY} C${startX + startBend} ${startY} ${endX + endBend} ${endY} ${endX} ${endY}`
}
