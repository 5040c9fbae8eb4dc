/** The schema of what the start page shows. */
import { SCHEDULED_ACTIONS } from '../../../../documents/schedules/schedules.ts'
import type { DocumentBuilder } from '../../document-builder.ts'
import {
  anyOf,
  arrayOf,
  boolean,
  dateTime,
  integer,
  nullable,
  openObject,
  type Schema,
  string,
} from '../../schemas/schema.ts'
import { authorSchema } from '../schedules.ts'

const STATUSES = ['draft', 'modified', 'published']

export function homeSchema(builder: DocumentBuilder): Schema {
  const change = builder.sharedSchema('AdminRecentDocument', () =>
    openObject(
      {
        ...{ type: string, documentId: string, locale: nullable(string), action: string, at: dateTime },
        by: authorSchema(builder),
        title: nullable(string),
        status: nullable({ type: 'string', enum: STATUSES }),
      },
      ['type', 'documentId', 'locale', 'action', 'at', 'by', 'title', 'status'],
    ),
  )
  const planned = anyOf(
    openObject(
      {
        ...{ kind: { const: 'document' }, at: dateTime, action: { type: 'string', enum: SCHEDULED_ACTIONS } },
        ...{ type: string, documentId: string, locale: nullable(string), title: nullable(string) },
      },
      ['kind', 'at', 'action', 'type', 'documentId', 'locale', 'title'],
    ),
    openObject({ kind: { const: 'release' }, at: dateTime, id: integer, name: string, entryCount: integer }, [
      ...['kind', 'at', 'id', 'name', 'entryCount'],
    ]),
  )
  return openObject(
    {
      ...{ mine: arrayOf(change), waiting: arrayOf(change), planned: arrayOf(planned) },
      ...{ others: arrayOf(change), isNew: boolean },
    },
    ['mine', 'waiting', 'planned', 'others', 'isNew'],
  )
}
