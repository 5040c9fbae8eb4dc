/** A saved state as an overlay, so that it is read like the document itself: with permissions, populate and fields. */
import type { Overlay } from '../../reads/overlay.ts'
import type { SqlValue } from '../../store/statement.ts'
import { columnOf, VERSION_COLUMNS } from '../../store/tables/layout.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import { servedJson } from '../rows/version-rows.ts'
import { NO_ENTRIES, type Version } from '../versions/version.ts'

/** A row that does not exist: database ids start at 1. */
const NO_ROW = 0

/** Hides what is stored of the document and shows the state instead, with the timestamps that it had. */
export function overlayOf(blueprint: Blueprint, documentId: string, version: Version): Overlay {
  const { type, columns, relations } = blueprint
  return {
    ...{ table: type.table, columns: [VERSION_COLUMNS.id, ...columns], relations },
    documentIds: [documentId],
    rows: `[${rowJson(blueprint, documentId, version)}]`,
    edges: JSON.stringify(edgeRows(version)),
  }
}

function rowJson(blueprint: Blueprint, documentId: string, version: Version): string {
  const { id, locale, published, createdAt, updatedAt, publishedAt, createdBy, updatedBy, revision } = version
  const own: Readonly<Record<string, SqlValue>> = {
    [VERSION_COLUMNS.id]: id ?? NO_ROW,
    [VERSION_COLUMNS.documentId]: documentId,
    [VERSION_COLUMNS.locale]: locale,
    [VERSION_COLUMNS.published]: published ? 1 : 0,
    [VERSION_COLUMNS.createdAt]: createdAt,
    [VERSION_COLUMNS.updatedAt]: updatedAt,
    [VERSION_COLUMNS.publishedAt]: publishedAt,
    [VERSION_COLUMNS.createdBy]: createdBy,
    [VERSION_COLUMNS.updatedBy]: updatedBy,
    [VERSION_COLUMNS.revision]: revision,
    [VERSION_COLUMNS.served]: servedJson(blueprint, documentId, version),
  }
  const members = [
    ...Object.entries(own).map(([column, value]) => member(column, JSON.stringify(value))),
    ...blueprint.scalars.map(({ name }) => member(columnOf(name), scalarJson(version.values.get(name)))),
    ...blueprint.lists.map(({ name }) =>
      member(columnOf(name), (version.lists.get(name) ?? NO_ENTRIES).text ?? 'null'),
    ),
  ]
  return `{${members.join()}}`
}

const member = (column: string, json: string) => `${JSON.stringify(column)}:${json}`

/** A big integer is a JSON number with all its digits, which both engines read exactly. */
const scalarJson = (value: SqlValue | undefined) =>
  typeof value === 'bigint' ? String(value) : JSON.stringify(value ?? null)

const edgeRows = ({ id, published, edges }: Version) =>
  [...edges].flatMap(([entry, relations]) =>
    [...relations].flatMap(([relation, list]) =>
      list.map(({ target, targetType, position, inversePosition }) => ({
        ...{ relation, source: id ?? NO_ROW, entry, target, published: published ? 1 : 0 },
        ...{ target_type: targetType, position, inverse_position: inversePosition ?? 0 },
      })),
    ),
  )
