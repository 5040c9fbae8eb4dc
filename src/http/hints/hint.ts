/**
 * Explains a refused or empty response to a developer, from the request and the model. Only `octavo dev` shows hints: in
 * production, a response must not say what exists.
 */
import type { ContentType, Model } from '../../model/model.ts'
import { nearest } from '../../project/suggest.ts'
import { isObject } from '../../project/values.ts'
import { namesInList, type Param, type ParamObject } from '../../query/params.ts'
import type { Principal, Scope } from '../../query/scope.ts'

export interface ExplainedRequest {
  readonly method: string
  /** Without the query string. */
  readonly path: string
  readonly query: ParamObject
  readonly authorization: string | undefined
  readonly status: number
}

/** Null if there is nothing to add to the response. `scope` is that of the caller; null for an unknown credential. */
export function hintFor(request: ExplainedRequest, model: Model, scope: Scope | null): string | null {
  const { path, status, authorization } = request
  const [root, name = '', id, word, action] = path.split('/').slice(1)
  if ((status === 401 || status === 403) && authorization && !/^bearer\s/i.test(authorization))
    return 'The Authorization header needs a scheme: send "Authorization: Bearer" and the token'
  if (root !== 'api') return null
  const type = model.endpoints.get(name)
  if (!type) return status === 404 ? unknownEndpoint(model, name) : null
  if (status === 404 && id !== undefined && /^\d+$/.test(id))
    return `"${id}" is a numeric id; paths take the documentId of a document`
  if (status === 403) {
    const verb = id === 'actions' ? word : word === 'actions' ? action : actionOf(request.method, type, id)
    return verb === undefined || scope === null ? null : missingPermission(type, verb, scope)
  }
  return status === 200 || status === 400 ? queryHint(type, request.query, model) : null
}

function unknownEndpoint(model: Model, name: string): string {
  const bySingular = [...model.endpoints].find(([, type]) => type.singular === name || type.plural === name)
  const known = bySingular?.[0] ?? nearest(name, model.endpoints.keys())
  if (known !== null) return `There is no /api/${name}; did you mean /api/${known}?`
  return `There is no /api/${name}; this project has ${[...model.endpoints.keys()].map((one) => `/api/${one}`).join(', ') || 'no content-types'}`
}

function actionOf(method: string, type: ContentType, id: string | undefined): string | undefined {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return id === undefined || type.kind === 'single' ? 'find' : 'findOne'
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'DELETE':
      return 'delete'
    default:
      return undefined
  }
}

function missingPermission({ uid }: ContentType, action: string, { may, principal }: Scope): string | null {
  if (may(uid, action))
    return `The permission "${action}" of ${whoIs(principal)} does not cover this request: check its filters and fields, readDrafts and policies`
  const line = `"${uid}": ["${action}"]`
  const place =
    principal.kind === 'token'
      ? `permissions of this token in config/tokens.json`
      : `role "${roleOf(principal)}" in config/roles.json`
  return `The permission "${action}" for ${uid} is missing; add ${line} to the ${place}`
}

const roleOf = (principal: Principal) => (principal.kind === 'user' ? principal.role : 'public')

const whoIs = (principal: Principal) =>
  principal.kind === 'token' ? `the token "${principal.name}"` : `the role "${roleOf(principal)}"`

/** Parameters that are valid but cannot find anything, or name an attribute of the wrong kind. */
function queryHint(type: ContentType, query: ParamObject, { locales }: Model): string | null {
  const { locale, filters, populate, fields } = query
  if (typeof locale === 'string' && locale !== '*' && !locales.codes.includes(locale))
    return `"${locale}" is not a locale of this project, which has ${locales.codes.join(', ')}`
  return (
    populatedField(type, populate) ?? relationInFields(type, fields) ?? unknownEnumerationValue(type, filters)
  )
}

function populatedField({ attributes }: ContentType, populate: Param | undefined): string | null {
  if (populate === undefined) return null
  const names = isObject(populate) ? Object.keys(populate) : (namesInList(populate) ?? [])
  const plain = names.find((name) => attributes.get(name)?.kind === 'scalar')
  return plain === undefined
    ? null
    : `"${plain}" is a plain attribute, which every response has; populate takes relations, media, components and dynamic zones`
}

function relationInFields({ attributes }: ContentType, fields: Param | undefined): string | null {
  const names = fields === undefined ? [] : (namesInList(fields) ?? [])
  const other = names.find((name) => (attributes.get(name)?.kind ?? 'scalar') !== 'scalar')
  return other === undefined ? null : `"${other}" is not a plain attribute; use populate=${other}`
}

function unknownEnumerationValue({ attributes }: ContentType, filters: Param | undefined): string | null {
  for (const [name, condition] of isObject(filters) ? Object.entries(filters) : []) {
    const attribute = attributes.get(name)
    if (attribute?.kind !== 'scalar' || attribute.enum.length === 0) continue
    const compared = isObject(condition) ? [condition.$eq, condition.$in].flat() : [condition]
    const unknown = compared.find((value) => typeof value === 'string' && !attribute.enum.includes(value))
    if (unknown !== undefined)
      return `"${unknown}" is not a value of "${name}", which has ${attribute.enum.join(', ')}`
  }
  return null
}
