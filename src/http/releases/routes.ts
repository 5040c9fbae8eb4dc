/** Routes of the admin API for releases. Whoever changes a release needs the permission for each document in it. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { authorText } from '../../documents/changes/author-text.ts'
import {
  addEntry,
  countEntries,
  MAX_ENTRIES,
  type NewEntry,
  readEntries,
  readEntriesIn,
  removeEntry,
} from '../../documents/releases/entries.ts'
import {
  cancelRelease,
  createRelease,
  deleteRelease,
  listReleases,
  lockRelease,
  RELEASE_STATES,
  type Release,
  readRelease,
  renameRelease,
  scheduleRelease,
} from '../../documents/releases/releases.ts'
import { findChangeable } from '../../documents/schedules/changeable-version.ts'
import { ApiError, errors } from '../../errors.ts'
import type { Actor } from '../../events/audit/audit-record.ts'
import type { Scope } from '../../query/scope.ts'
import type { Transaction } from '../../store/store.ts'
import { requireTeam } from '../auth/team.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { dataOf } from '../request/fields.ts'
import { originOf } from '../request/origin.ts'
import { rawQueryOf } from '../request/query-string.ts'
import { textIn } from '../schedules/query.ts'
import { parseFutureTime, parsePeriod } from '../schedules/times.ts'
import type { Server } from '../server.ts'
import { entryRequest } from './entry-request.ts'
import { checkMayChange } from './may-change.ts'
import { openedRelease, releasesJson } from './opened-release.ts'
import { checkEntriesPermitted, publishRelease } from './publish-release.ts'
import { type ReleaseAction, recordRelease } from './record-release.ts'
import { parseEntries, parseName } from './release-body.ts'
import { checkCanChange, checkNotEmpty } from './release-state.ts'
import { revertRelease } from './revert-release.ts'

const MAX_LISTED = 1_000

/** A request about one release. */
interface ReleaseCall {
  readonly request: FastifyRequest
  readonly scope: Scope
  readonly id: number
}

export function releaseRoutes(app: FastifyInstance, server: Server): void {
  const scopeOf = async (request: FastifyRequest) => (await requireTeam(server, request)).scope

  const list: Handler = async (request) => {
    const query = server.parseQuery(rawQueryOf(request))
    const state = textIn(query, 'state')
    const known = RELEASE_STATES.find((one) => one === state)
    if (state !== undefined && !known)
      throw errors.invalidParameter('state', null, `expected one of ${RELEASE_STATES.join(', ')}`)
    const found = await listReleases(server.store, { ...parsePeriod(query), state: known }, MAX_LISTED)
    return { data: await releasesJson(server, found), meta: { total: found.length } }
  }

  const create: Handler = async (request, reply) => {
    const scope = await scopeOf(request)
    const body = dataOf(request.body, ['name', 'entries', 'publishAt'])
    const name = parseName(body.name)
    const publishAt = parseFutureTime('publishAt', body.publishAt ?? null)
    const author = authorText(scope.principal)
    const entries = body.entries === undefined ? [] : parseEntries(server.layout().model, body.entries)
    if (publishAt !== null) checkNotEmpty(entries)
    await checkEntriesPermitted(server, scope, entries)
    const id = await server.store.write(async (transaction) => {
      const created = await createRelease(transaction, name, author)
      await addEntries(transaction, scope, created, entries)
      if (publishAt !== null) scheduleRelease(transaction, created, publishAt, author)
      recordRelease(server, transaction, actorOf(request, scope), 'create', { id: created, name })
      return created
    })
    return reply.code(201).send(await shown(scope, id))
  }

  /** The release as it is now. */
  async function shown(scope: Scope, id: number) {
    const release = await readRelease(server.store, id)
    if (!release) throw errors.notFound()
    return openedRelease(server, scope, release)
  }

  /** Changes a release that is not published yet, and responds with it. */
  const change =
    (
      action: ReleaseAction,
      work: (transaction: Transaction, call: ReleaseCall, release: Release) => Promise<void>,
    ): Handler =>
    async (request) => {
      const call = { request, scope: await scopeOf(request), id: idIn(request) }
      await server.store.write(async (transaction) => {
        const release = await lockRelease(transaction, call.id)
        if (!release) throw errors.notFound()
        checkCanChange(release)
        await checkMayChange(server, call.scope, transaction, call.id)
        await work(transaction, call, release)
        recordRelease(server, transaction, actorOf(request, call.scope), action, release)
      })
      return shown(call.scope, call.id)
    }

  async function addEntries(
    transaction: Transaction,
    scope: Scope,
    id: number,
    entries: readonly NewEntry[],
  ) {
    for (const [index, entry] of entries.entries()) {
      await checkEntry(transaction, scope, entry, index)
      addEntry(transaction, id, entry)
    }
    if ((await countEntries(transaction, id)) > MAX_ENTRIES)
      throw errors.application(`A release has at most ${MAX_ENTRIES} documents`)
  }

  /** The document must exist, and the caller's row rules must cover it. */
  async function checkEntry(transaction: Transaction, scope: Scope, entry: NewEntry, index: number) {
    const request = entryRequest(server, scope, entry)
    if (!request) throw errors.notFound()
    const { type } = request
    try {
      const { documentId, locale, action } = entry
      await findChangeable({ transaction, request }, server.layout(), type, documentId, locale, [action])
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
      const message = `entries[${index}]: the ${type.singular} does not exist${type.localized ? ` in ${entry.locale}` : ''}`
      throw errors.invalidValues([{ path: ['entries', String(index), 'documentId'], message }])
    }
  }

  const rename = change('update', async (transaction, { request, id }) => {
    renameRelease(transaction, id, parseName(dataOf(request.body, ['name']).name))
  })

  const remove: Handler = async (request, reply) => {
    const [scope, id] = [await scopeOf(request), idIn(request)]
    await server.store.write(async (transaction) => {
      const release = await lockRelease(transaction, id)
      if (!release) throw errors.notFound()
      await checkMayChange(server, scope, transaction, id)
      deleteRelease(transaction, id)
      recordRelease(server, transaction, actorOf(request, scope), 'delete', release)
    })
    return reply.code(204).send()
  }

  const add: Handler = async (request, reply) => {
    const body: unknown = request.body
    const data: unknown = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
    const entries = parseEntries(server.layout().model, data)
    await checkEntriesPermitted(server, await scopeOf(request), entries)
    const added = change('update', (transaction, { scope, id }) =>
      addEntries(transaction, scope, id, entries),
    )
    return added(request, reply)
  }

  const removeOne = change('update', async (transaction, { request, id }, { state }) => {
    const entry = Number(pathParam(request, 'entry'))
    if (!Number.isSafeInteger(entry) || !(await removeEntry(transaction, id, entry))) throw errors.notFound()
    if (state === 'scheduled' && (await countEntries(transaction, id)) === 0)
      throw errors.application('Cancel the schedule before you remove the last document of the release')
  })

  const publish: Handler = async (request) => {
    const scope = await scopeOf(request)
    const id = idIn(request)
    await server.withLatestModel((pinned) => publishRelease(pinned, id, scope, originOf(request)))
    return shown(scope, id)
  }

  const schedule: Handler = async (request, reply) => {
    const { publishAt: sent } = dataOf(withData(request.body), ['publishAt'])
    const publishAt = parseFutureTime('publishAt', sent ?? undefined)
    await checkEntriesPermitted(
      server,
      await scopeOf(request),
      await readEntries(server.store, idIn(request)),
    )
    const scheduled = change('schedule', async (transaction, { scope, id }) => {
      const entries = await readEntriesIn(transaction, id)
      checkNotEmpty(entries)
      for (const [index, entry] of entries.entries()) await checkEntry(transaction, scope, entry, index)
      if (publishAt !== null) scheduleRelease(transaction, id, publishAt, authorText(scope.principal))
    })
    return scheduled(request, reply)
  }

  const cancel = change('cancel', async (transaction, { id }) => cancelRelease(transaction, id))

  const revert: Handler = async (request) => {
    const scope = await scopeOf(request)
    const id = idIn(request)
    const notRestored = await server.withLatestModel((pinned) =>
      revertRelease(pinned, id, scope, originOf(request)),
    )
    const { data, meta } = await shown(scope, id)
    return { data, meta: { ...meta, notRestored } }
  }

  declareRoute(app, '/releases', { GET: list, POST: create })
  declareRoute(app, '/releases/:id', {
    GET: async (request) => shown(await scopeOf(request), idIn(request)),
    PUT: rename,
    DELETE: remove,
  })
  declareRoute(app, '/releases/:id/entries', { POST: add })
  declareRoute(app, '/releases/:id/entries/:entry', { DELETE: removeOne })
  declareRoute(app, '/releases/:id/actions/publish', { POST: publish })
  declareRoute(app, '/releases/:id/actions/schedule', { POST: schedule })
  declareRoute(app, '/releases/:id/actions/cancel', { POST: cancel })
  declareRoute(app, '/releases/:id/actions/revert', { POST: revert })
}

const actorOf = (request: FastifyRequest, { principal }: Scope): Actor => ({
  by: principal,
  origin: originOf(request),
})

/** The time may also be sent without `data`, as for a document. */
const withData = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && !('data' in body) ? { data: body } : body

function idIn(request: FastifyRequest): number {
  const id = Number(pathParam(request, 'id'))
  if (!Number.isSafeInteger(id) || id <= 0) throw errors.notFound()
  return id
}
