/** Builds the OpenAPI document of a model for one caller. Equal inputs give equal text. */
import type { ContentType, Model } from '../../model/model.ts'
import type { Config } from '../../project/config/config.ts'
import type { Scope } from '../../query/scope.ts'
import { createDocumentBuilder } from './document-builder.ts'
import type { Header, Parameter, Paths, Response } from './operation.ts'
import { addAuthPaths, addUserPaths } from './paths/accounts/accounts.ts'
import { addRolePaths } from './paths/accounts/roles.ts'
import { addAdminPaths } from './paths/admin.ts'
import { addContentPaths } from './paths/content.ts'
import { addCustomPaths, type CustomRoute } from './paths/custom.ts'
import { sharedErrorResponses } from './paths/error-responses.ts'
import { addEventPath } from './paths/events.ts'
import { addUploadPaths } from './paths/media/upload.ts'
import { addOtherPaths } from './paths/other.ts'
import { addPositions, POSITION_HEADER } from './paths/positions.ts'
import { type Schema, string } from './schemas/schema.ts'
import { numberRepeatedIds } from './unique-ids.ts'

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

const DESCRIPTION = `Content as JSON. Responses have the form \`{data, meta}\`. A document has its attributes at the top level and is identified by its \`documentId\`. Relations, media, components and dynamic zones are included only if you populate them. Nested parameters use square brackets: \`filters[name][$eq]=value\`.

This document lists what you may use with the credential you sent (\`Authorization: Bearer …\` with an API token or the JWT of a signed-in user). Another credential may give access to more.`

export interface DocumentOptions {
  readonly model: Model
  readonly config: Config
  /** Names the API; without it, the title is general. */
  readonly title?: string | null
  readonly scope: Scope
  /** Whether to include the admin API. */
  readonly isAdmin?: boolean
  /** Whether to include `explain=true`. */
  readonly canExplain?: boolean
  /** Whether to include the `Octavo-Position` headers. */
  readonly hasPositions?: boolean
  /** Routes added by the project's own code. */
  readonly routes?: readonly CustomRoute[]
  /** The URL of the server; relative to the document by default. */
  readonly server?: string
}

export function buildOpenApiDocument(options: DocumentOptions): OpenApiDocument {
  const {
    model,
    config,
    scope,
    isAdmin: admin = false,
    canExplain: explains,
    hasPositions: positions,
    routes = [],
    title,
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
  addRolePaths(builder, paths)
  addOtherPaths(builder, paths)
  addEventPath(builder, paths)
  if (admin) addAdminPaths(builder, paths)
  if (positions) addPositions(builder, paths)
  // After the others, which may not change what a project declares.
  addCustomPaths(paths, routes, scope)
  numberRepeatedIds(paths)
  const responses = sharedErrorResponses(builder)
  const headers = { ...HEADERS, ...(positions && POSITION_HEADER) }
  return {
    openapi: '3.1.1',
    info: { title: title ?? DEFAULT_TITLE, version: '1', description: DESCRIPTION },
    servers: [{ url: server }],
    security: [{}, { bearer: [] }],
    tags: tagsOf(paths, types, tagOf),
    paths,
    components: { ...builder.sharedParts(), responses, headers, securitySchemes: SECURITY },
  }
}

const DEFAULT_TITLE = 'Content API'

const HEADERS: Readonly<Record<string, Header>> = {
  ETag: {
    description: 'Identifies this response. Send it as If-None-Match, or for one document as If-Match.',
    schema: string,
  },
  Omitted: {
    description: 'Populated paths that were omitted because you may not see them.',
    schema: string,
  },
}

const SECURITY = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API token, or the JWT of a signed-in user.' },
}

/** Types are grouped by display name; where two share one, the singular name is added. */
function tagNames(types: readonly ContentType[]): (type: ContentType) => string {
  const isAmbiguous = (name: string) => types.filter(({ displayName }) => displayName === name).length > 1
  return ({ displayName, singular }) =>
    isAmbiguous(displayName) ? `${displayName} (${singular})` : displayName
}

/** The tags in use, in the order of the paths. */
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
