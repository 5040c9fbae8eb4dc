/**
 * Routes for content-types and components, in the JSON of their schema files. A change is active when the response is
 * sent. With `dryRun=true` it is only planned; a change that deletes content needs `confirm=true`.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../../errors.ts'
import { changeJson, type SchemaChanges, type SchemaEdit } from '../../live/schema-changes.ts'
import { schemaRecord } from '../../live/schema-record.ts'
import type { SchemaSource } from '../../project/source.ts'
import { didYouMean } from '../../project/suggest.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { actorOf } from '../request/actor.ts'
import { bodyOf } from '../request/fields.ts'
import type { Server } from '../server.ts'
import { parseFlags } from './change-flags.ts'
import {
  kindName,
  listSchemas,
  parseCombinedEdit,
  parseSubmittedSchema,
  putSchema,
  removeSchema,
  type SubmittedSchema,
  schemaJson,
} from './schema-edits.ts'

type Kind = 'type' | 'component'

export interface SchemaRoutesOptions {
  readonly changes: SchemaChanges
  /** Whether content-types can be changed over HTTP. */
  readonly editable: boolean
  readonly version: () => number
}

/** Adds `/content-types`, `/components`, and `/schema` for combined changes. */
export function schemaRoutes(
  app: FastifyInstance,
  server: Server,
  { changes, editable, version }: SchemaRoutesOptions,
): void {
  const sources = () => server.project.sources
  const allSchemas = () => ({
    contentTypes: listSchemas(sources(), 'type').map(schemaJson),
    components: listSchemas(sources(), 'component').map(schemaJson),
  })

  async function change(request: FastifyRequest, edit: SchemaEdit) {
    if (!editable) throw errors.schemaLocked()
    const { dryRun, confirm } = parseFlags(request)
    if (dryRun) {
      const { plan, clients } = await changes.plan(edit)
      return { applied: false, meta: { changes: plan.map(changeJson), clients } }
    }
    const accept = confirm ? 'everything' : 'empty'
    const { plan, clients, unwritten } = await changes.apply(edit, accept, expectedVersion(request))
    await server.access.audit.add(await actorOf(server, request), schemaRecord(plan))
    return {
      applied: true,
      meta: { changes: plan.map(changeJson), clients, ...(unwritten !== null && { unwritten }) },
    }
  }

  function addRoutes(url: string, kind: Kind) {
    const uidOf = (request: FastifyRequest) => pathParam(request, 'uid')
    const findSchema = (uid: string): SchemaSource => {
      const schemas = listSchemas(sources(), kind)
      const source = schemas.find((one) => one.uid === uid)
      if (source) return source
      const known = schemas.map((one) => one.uid)
      throw errors.notFound(`There is no ${kindName(kind)} ${uid}${didYouMean(uid, known)}`)
    }

    const list: Handler = async () => ({ data: listSchemas(sources(), kind).map(schemaJson) })
    const get: Handler = async (request) => ({ data: schemaJson(findSchema(uidOf(request))) })

    const create: Handler = async (request, reply) => {
      const submitted = parseSubmittedSchema(kind, bodyOf(request.body).data)
      const { applied, meta } = await change(request, (all) => putSchema(all, submitted, null))
      if (!applied) return { data: null, meta }
      return reply.code(201).send({ data: schemaJson(findSchema(submitted.uid)), meta })
    }

    const update: Handler = async (request) => {
      const { uid } = findSchema(uidOf(request))
      const submitted: SubmittedSchema = parseSubmittedSchema(kind, {
        uid,
        ...bodyOf(bodyOf(request.body).data),
      })
      const { applied, meta } = await change(request, (all) => putSchema(all, submitted, uid))
      return { data: applied ? schemaJson(findSchema(submitted.uid)) : null, meta }
    }

    const remove: Handler = async (request, reply) => {
      const { uid } = findSchema(uidOf(request))
      const { applied, meta } = await change(request, (all) => removeSchema(all, uid))
      return applied && !('unwritten' in meta) ? reply.code(204).send() : { data: null, meta }
    }

    declareRoute(app, url, { GET: list, POST: create })
    declareRoute(app, `${url}/:uid`, { GET: get, PUT: update, DELETE: remove })
  }

  addRoutes('/content-types', 'type')
  addRoutes('/components', 'component')

  declareRoute(app, '/schema', {
    GET: async () => ({
      data: allSchemas(),
      meta: { version: version(), editable, reason: editable ? null : errors.schemaLocked().message },
    }),
    PUT: async (request) => {
      const edit = parseCombinedEdit(bodyOf(request.body).data)
      const { applied, meta } = await change(request, edit)
      return { data: applied ? allSchemas() : null, meta }
    },
  })
  declareRoute(app, '/schema/check', {
    POST: async (request, reply) => {
      await changes.check(parseCombinedEdit(bodyOf(request.body).data))
      return reply.code(204).send()
    },
  })
}

/** The schema version that `If-Match` names, or null. */
function expectedVersion({ headers }: FastifyRequest): number | null {
  const value = headers['if-match']
  if (value === undefined) return null
  const [, version] = /^"?(\d{1,15})"?$/.exec(value) ?? []
  if (version === undefined) throw errors.invalid('If-Match must be the version of the schema, such as "12"')
  return Number(version)
}

/** The version of the content-types, without a session: the open pages of the admin app ask for it every few seconds. */
export function schemaVersionRoute(app: FastifyInstance, version: () => number): void {
  declareRoute(app, '/schema-version', { GET: async () => ({ data: { version: version() } }) })
}
