/** The tools that a caller may use, with schemas of what it may do with them. */
import type { Tool as ToolDescription } from '@modelcontextprotocol/server'
import type { Model } from '../../model/model.ts'
import type { Config } from '../../project/config/config.ts'
import type { Scope } from '../../query/scope.ts'
import type { DocumentBuilder } from '../openapi/document-builder.ts'
import { createArgumentBuilder, withDefinitions } from './argument-schemas.ts'
import type { ArgumentsSchema, Effect, Tool } from './tool.ts'

export interface OfferedTools {
  /** The model as the caller may see it. */
  readonly builder: DocumentBuilder
  /** In the same order for every caller. */
  readonly descriptions: readonly ToolDescription[]
  /** By the name of the tool. */
  readonly argumentsOf: ReadonlyMap<string, ArgumentsSchema>
}

/**
 * The maximum length of one tool's schema as JSON. Agents send the schemas to their model with every request, so in a
 * large model the schemas of the content-types are left to describe_model.
 */
const MAX_SCHEMA_LENGTH = 30_000

/** Equal models and scopes give equal descriptions. */
export function offeredTools(
  tools: readonly Tool[],
  model: Model,
  scope: Scope,
  config: Config,
): OfferedTools {
  const builder = createArgumentBuilder(model, scope, config)
  const offered = tools.flatMap((tool) => {
    const schema = boundedSchema(tool, builder)
    return schema ? [{ tool, schema }] : []
  })
  return {
    builder,
    descriptions: offered.map(({ tool, schema }) => descriptionOf(tool, schema)),
    argumentsOf: new Map(offered.map(({ tool, schema }) => [tool.name, schema])),
  }
}

function boundedSchema(tool: Tool, builder: DocumentBuilder): ArgumentsSchema | null {
  const full = tool.argumentsFor(builder, 'full')
  if (!full) return null
  const schema = withDefinitions(builder, full)
  return JSON.stringify(schema).length <= MAX_SCHEMA_LENGTH ? schema : tool.argumentsFor(builder, 'brief')
}

/** Clients ask people to confirm calls by these. */
const HINTS: Readonly<Record<Effect, ToolDescription['annotations']>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  add: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  change: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
}

function descriptionOf(
  { name, title, description, effect, result }: Tool,
  schema: ArgumentsSchema,
): ToolDescription {
  // As JSON, which is what the SDK expects.
  const inputSchema: ToolDescription['inputSchema'] = JSON.parse(JSON.stringify(schema))
  const outputSchema: ToolDescription['outputSchema'] = JSON.parse(JSON.stringify(result))
  return { name, title, description, inputSchema, outputSchema, annotations: { title, ...HINTS[effect] } }
}
