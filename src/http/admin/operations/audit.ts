/** `GET /admin/api/audit`: the audit log, as pages, or as a stream of JSON lines or CSV. Nothing changes or deletes its records. */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { errors } from '../../../errors.ts'
import type { AuditRecord } from '../../../events/audit/audit-record.ts'
import { type AuditFilter, readAuditInOrder, readAuditPage } from '../../../events/audit/read.ts'
import type { Store } from '../../../store/store.ts'
import { readAuthorNames } from '../../auth/author-names.ts'
import { declareRoute, type Handler } from '../../method-routes.ts'
import { actorOf } from '../../request/actor.ts'
import { rawQueryOf } from '../../request/query-string.ts'
import { csvLine } from '../../response/csv.ts'
import type { Server } from '../../server.ts'
import { parseAuditParameters } from './audit-parameters.ts'

const EXPORTS = {
  jsonl: 'application/jsonl; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const

export function auditRoutes(app: FastifyInstance, server: Server): void {
  const { access, store } = server
  const { api, audit } = server.project.config

  const read: Handler = async (request, reply) => {
    if (!audit.enabled) throw errors.notFound('The audit log is turned off (audit.enabled)')
    const given = server.parseQuery(rawQueryOf(request))
    const { filter, before, pageSize, format } = parseAuditParameters(given, request.headers.accept, api.rest)
    if (format !== 'json') {
      if (request.method !== 'HEAD')
        await access.audit.add(await actorOf(server, request), { action: 'audit.export' })
      return reply
        .header('content-type', EXPORTS[format])
        .header('content-disposition', `attachment; filename="audit.${format}"`)
        .send(Readable.from(format === 'csv' ? csvOf(store, filter) : linesOf(store, filter)))
    }
    // One more than the page, to know whether another page follows.
    const found = await readAuditPage(store, filter, pageSize + 1, before)
    const records = found.slice(0, pageSize)
    const nextCursor = found.length > pageSize ? String(records.at(-1)?.seq) : null
    return { data: await withNames(server, records), meta: { pagination: { pageSize, nextCursor } } }
  }

  declareRoute(app, '/audit', { GET: read })
}

async function* linesOf(store: Store, filter: AuditFilter): AsyncGenerator<string> {
  for await (const records of readAuditInOrder(store, filter))
    yield `${records.map((record) => JSON.stringify(record)).join('\n')}\n`
}

/** In the order of an export. */
const COLUMNS = [
  ...['seq', 'at', 'action', 'by', 'type', 'documentId', 'locale', 'fields', 'details'],
  ...['address', 'userAgent', 'requestId', 'hash'],
] as const

async function* csvOf(store: Store, filter: AuditFilter): AsyncGenerator<string> {
  yield csvLine(COLUMNS)
  for await (const records of readAuditInOrder(store, filter)) yield records.map(csvOfRecord).join('')
}

function csvOfRecord(record: AuditRecord): string {
  const { kind, id } = record.by
  const cells: Readonly<Record<(typeof COLUMNS)[number], unknown>> = {
    ...record,
    by: id === undefined ? kind : `${kind}:${id}`,
    fields: record.fields.join(' '),
  }
  return csvLine(COLUMNS.map((name) => cells[name]))
}

/** Adds the names that users and tokens have now; null for those that no longer exist. */
async function withNames(server: Server, records: readonly AuditRecord[]) {
  const named = await readAuthorNames(
    server,
    records.map(({ by }) => by),
  )
  return records.map((record) => ({ ...record, by: named(record.by) }))
}
