/** The OpenAPI document of a model, as one caller may use it. Equal inputs give equal text. */
import type { ContentType, Model } from '../../model/model.ts'
import type { Config } from '../../project/config/config.ts'
import type { Scope } from '../../query/scope.ts'
import { createDocumentBuilder } from './document-builder.ts'
import type { Header, Parameter, Paths, Response } from './operation.ts'
import { addAuthPaths, addUserPaths } from './paths/accounts.ts'
import { addAdminPaths } from './paths/admin.ts'
import { addContentPaths } from './paths/content.ts'
import { addCustomPaths, type CustomRoute } from './paths/custom.ts'
import { sharedErrorResponses } from './paths/error-responses.ts'
import { addOtherPaths } from './paths/other.ts'
import { addPositions, POSITION_HEADER } from './paths/positions.ts'
import { addUploadPaths } from './paths/upload.ts'
import { type Schema, string } from './schemas/schema.ts'

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Paths
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Response>>
    readonly headers: Readonly<Record<string, Header>>
    readonly securitySchemes: Readonly<Record<string, unknown>>
  }
}

const DESCRIPTION = `Content as JSON. Answers come in an envelope \`{data, meta}\`; documents carry their attributes directly and are named by \`documentId\`. Relations, media, components and dynamic zones appear when they are populated. Nested parameters are written in square brackets, as in \`filters[name][$eq]=value\`.

This document shows what you may use with the credential you sent (\`Authorization: Bearer …\`, an API token or the jwt of a signed-in user); with another credential there may be more.`

export interface DocumentOptions {
  readonly model: Model
  readonly config: Config
  readonly scope: Scope
  /** Whether the caller may use the admin interface. */
  readonly isAdmin?: boolean
  /** Whether reads are told with `explain=true` and its answer, which admins may ask for. */
  readonly canExplain?: boolean
  /** Whether the engine has positions. */
  readonly hasPositions?: boolean
  /** Routes that the project adds in its own code. */
  readonly routes?: readonly CustomRoute[]
  /** Address of the server; relative to the document when absent. */
  readonly server?: string
}

/** The document for a caller. */
export function buildOpenApiDocument(options: DocumentOptions): OpenApiDocument {
  const {
    model,
    config,
    scope,
    isAdmin: admin = false,
    canExplain: explains,
    hasPositions: positions,
    routes = [],
    server = '/',
  } = options
  const builder = createDocumentBuilder(model, scope, config, explains)
  const types = [...model.endpoints.values()].sort((a, b) => (a.uid < b.uid ? -1 : 1))
  const tagOf = tagNames(types)
  const paths: Paths = {}
  for (const type of types) addContentPaths(builder, paths, type, tagOf(type))
  addUploadPaths(builder, paths)
  addAuthPaths(builder, paths)
  addUserPaths(builder, paths)
  addOtherPaths(builder, paths)
  if (admin) addAdminPaths(builder, paths)
  if (positions) addPositions(builder, paths)
  // Those of a project are told as it declares them.
  addCustomPaths(paths, routes, scope)
  const responses = sharedErrorResponses(builder)
  const headers = { ...HEADERS, ...(positions && POSITION_HEADER) }
  return {
    openapi: '3.1.1',
    info: { title: 'Content API', version: '1', description: DESCRIPTION },
    servers: [{ url: server }],
    security: [{}, { bearer: [] }],
    tags: tagsOf(paths, types, tagOf),
    paths,
    components: { ...builder.sharedParts(), responses, headers, securitySchemes: SECURITY },
  }
}

const HEADERS: Readonly<Record<string, Header>> = {
  ETag: {
    description: 'Names this answer for If-None-Match; of one document also for If-Match.',
    schema: string,
  },
  Omitted: {
    description: 'Populated paths that were left out because you may not see them.',
    schema: string,
  },
}

const SECURITY = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API token, or the jwt of a signed-in user.' },
}

/** Types are grouped under their display names; those that share one get their API id as well. */
function tagNames(types: readonly ContentType[]): (type: ContentType) => string {
  const shared = (name: string) => types.filter(({ displayName }) => displayName === name).length > 1
  return ({ displayName, singular }) => (shared(displayName) ? `${displayName} (${singular})` : displayName)
}

/** The tags that are used, in the order of the paths. */
function tagsOf(
  paths: Paths,
  types: readonly ContentType[],
  tagOf: (type: ContentType) => string,
): OpenApiDocument['tags'] {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const descriptions = new Map(types.map((type) => [tagOf(type), type.description]))
  return [...new Set(operations.flatMap(({ tags }) => tags))].map((name) => {
    const description = descriptions.get(name)
    return { name, ...(description ? { description } : {}) }
  })
}
