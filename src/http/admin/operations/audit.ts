/** `GET /admin/api/audit`: the audit log, as pages or as a stream of JSON lines. Nothing changes or deletes its records. */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { errors } from '../../../errors.ts'
import type { AuditRecord } from '../../../events/audit/audit-record.ts'
import { type AuditFilter, readAuditInOrder, readAuditPage } from '../../../events/audit/read.ts'
import type { Store } from '../../../store/store.ts'
import { declareRoute, type Handler } from '../../method-routes.ts'
import { actorOf } from '../../request/actor.ts'
import { rawQueryOf } from '../../request/query-string.ts'
import type { Server } from '../../server.ts'
import { parseAuditParameters } from './audit-parameters.ts'

export function auditRoutes(app: FastifyInstance, server: Server): void {
  const { access, store } = server
  const { api, audit } = server.project.config

  const read: Handler = async (request, reply) => {
    if (!audit.enabled) throw errors.notFound('The audit log is turned off (audit.enabled)')
    const given = server.parseQuery(rawQueryOf(request))
    const { filter, before, pageSize, format } = parseAuditParameters(given, request.headers.accept, api.rest)
    if (format === 'jsonl') {
      if (request.method !== 'HEAD')
        await access.audit.add(await actorOf(server, request), { action: 'audit.export' })
      return reply
        .header('content-type', 'application/jsonl; charset=utf-8')
        .header('content-disposition', 'attachment; filename="audit.jsonl"')
        .send(Readable.from(linesOf(store, filter)))
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

/** Adds the names that users and tokens have now; null for those that no longer exist. */
async function withNames({ access }: Server, records: readonly AuditRecord[]) {
  const users = new Set(records.flatMap(({ by }) => (by.kind === 'user' && by.id ? [by.id] : [])))
  const names = new Map<string, string | null>()
  for (const documentId of users)
    names.set(`user ${documentId}`, (await access.accounts.byDocumentId(documentId))?.username ?? null)
  if (records.some(({ by }) => by.kind === 'token'))
    for (const { id, name } of await access.tokens.list()) names.set(`token ${id}`, name)
  return records.map((record) => {
    const { kind, id } = record.by
    return id === undefined
      ? record
      : { ...record, by: { kind, id, name: names.get(`${kind} ${id}`) ?? null } }
  })
}
