/**
 * Explains a refused or empty response to a developer, from the request and the model. Only `octavo dev` shows hints: in
 * production, a response must not say what exists.
 */
import type { ContentType, Model } from '../../model/model.ts'
import { nearest } from '../../project/suggest.ts'
import { isObject } from '../../project/values.ts'
import { namesInList, type Param, type ParamObject } from '../../query/params.ts'
import type { Principal, Scope } from '../../query/scope.ts'
import { actionOfMethod, permissionOfBuiltIn } from './built-in-endpoints.ts'

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
  if (root !== 'api') return status === 404 ? outsideApi(model, root) : null
  const type = model.endpoints.get(name)
  if (!type) return otherEndpoint(request, model, scope)
  if (status === 404 && id !== undefined && /^\d+$/.test(id))
    return `"${id}" is a numeric id; paths take the documentId of a document`
  if (status === 403) {
    const isList = id === undefined || type.kind === 'single'
    const verb =
      id === 'actions' ? word : word === 'actions' ? action : actionOfMethod(request.method, isList)
    return verb === undefined || verb === null || scope === null
      ? null
      : missingPermission(type.uid, verb, scope)
  }
  return status === 200 || status === 400 ? queryHint(type, request.query, model) : null
}

function outsideApi(model: Model, root = ''): string | null {
  if (root === 'mcp')
    return 'There is no MCP server at /mcp; see mcp.enabled and mcp.path in the configuration'
  return model.endpoints.has(root) ? `There is no /${root}; did you mean /api/${root}?` : null
}

/** Below `/api`, but not the endpoint of a content-type. */
function otherEndpoint(
  { method, path, status, authorization }: ExplainedRequest,
  model: Model,
  scope: Scope | null,
): string | null {
  const segments = path.split('/').slice(2)
  const [name = ''] = segments
  if (status === 403 && scope !== null) {
    if (path === '/api/users/me')
      return authorization ? null : `This endpoint needs a signed-in user: ${SIGN_IN}`
    const permission = permissionOfBuiltIn(method, segments)
    return permission && missingPermission(permission.uid, permission.action, scope)
  }
  if (status !== 404) return null
  if (path === '/api/auth/local') return `There is no ${method} /api/auth/local; ${SIGN_IN}`
  return name === 'auth' ? `There is no ${path}; ${SIGN_IN}` : unknownEndpoint(model, name)
}

const SIGN_IN =
  'to sign in, POST { "identifier", "password" } to /api/auth/local, and send the "jwt" of its response as "Authorization: Bearer"'

function unknownEndpoint(model: Model, name: string): string {
  const bySingular = [...model.endpoints].find(([, type]) => type.singular === name || type.plural === name)
  const known = bySingular?.[0] ?? nearest(name, model.endpoints.keys())
  if (known !== null) return `There is no /api/${name}; did you mean /api/${known}?`
  return `There is no /api/${name}; this project has ${[...model.endpoints.keys()].map((one) => `/api/${one}`).join(', ') || 'no content-types'}`
}

function missingPermission(uid: string, action: string, { may, principal }: Scope): string | null {
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
