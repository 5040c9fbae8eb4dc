/**
 * `GET /api/content-type-builder/content-types` and `/components`: the model in the form that clients of Strapi read. It is
 * changed through `/admin/api`.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { COMPONENTS, CONTENT_TYPES } from '../../access/roles/permissions.ts'
import { errors } from '../../errors.ts'
import type { SchemaSource } from '../../project/source.ts'
import { isObject, type Values } from '../../project/values.ts'
import { kindName, listSchemas } from '../admin/schema-edits.ts'
import { permittedScope } from '../auth/permitted.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { allowedParams } from '../request/allowed-params.ts'
import type { Server } from '../server.ts'

export function modelRoutes(app: FastifyInstance, server: Server): void {
  const addRoutes = (path: string, permission: string, kind: 'type' | 'component', jsonOf: JsonOf) => {
    const check = async (request: FastifyRequest, action: 'find' | 'findOne') => {
      const { authorization } = request.headers
      await permittedScope({ server, authorization }, permission, action)
      allowedParams([], { server, request })
    }
    const sources = () => listSchemas(server.project.sources, kind)
    const list: Handler = async (request) => {
      await check(request, 'find')
      return { data: sources().map(jsonOf) }
    }
    const one: Handler = async (request) => {
      await check(request, 'findOne')
      const uid = pathParam(request, 'uid')
      const source = sources().find((each) => each.uid === uid)
      if (!source) throw errors.notFound(`There is no ${kindName(kind)} ${uid}`)
      return { data: jsonOf(source) }
    }
    declareRoute(app, `/api/content-type-builder/${path}`, { GET: list })
    declareRoute(app, `/api/content-type-builder/${path}/:uid`, { GET: one })
  }
  addRoutes('content-types', CONTENT_TYPES, 'type', contentTypeJson)
  addRoutes('components', COMPONENTS, 'component', componentJson)
}

type JsonOf = (source: SchemaSource) => Values

const partOf = (schema: unknown, key: string): Values => {
  const part = isObject(schema) ? schema[key] : undefined
  return isObject(part) ? part : {}
}

function contentTypeJson({ uid, schema }: SchemaSource): Values {
  const { kind = 'collectionType', collectionName = '' } = isObject(schema) ? schema : {}
  const { displayName = '', singularName = '', pluralName = '', description = '' } = partOf(schema, 'info')
  const { draftAndPublish = false, ...options } = partOf(schema, 'options')
  const [origin = '', name = ''] = uid.split('::')
  const [group = '', apiID = ''] = name.split('.')
  return {
    uid,
    ...(origin === 'plugin' && { plugin: group }),
    apiID,
    schema: {
      ...options,
      ...{ displayName, singularName, pluralName, description, draftAndPublish, kind, collectionName },
      pluginOptions: partOf(schema, 'pluginOptions'),
      attributes: partOf(schema, 'attributes'),
      visible: true,
      restrictRelationsTo: null,
    },
  }
}

function componentJson({ uid, schema }: SchemaSource): Values {
  const { collectionName = '' } = isObject(schema) ? schema : {}
  const { displayName = '', description = '', icon } = partOf(schema, 'info')
  const [category = '', apiId = ''] = uid.split('.')
  return {
    uid,
    category,
    apiId,
    schema: { displayName, description, icon, collectionName, attributes: partOf(schema, 'attributes') },
  }
}
