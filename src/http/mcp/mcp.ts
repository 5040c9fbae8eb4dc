/**
 * The server of the Model Context Protocol: it offers tools to agents and runs them in the scope of a credential. The
 * official SDK speaks the protocol; this decides what it says. Loaded only when it is used.
 */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server as ProtocolServer,
  type Tool as ToolDescription,
} from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import { errors } from '../../errors.ts'
import type { Library } from '../../media/library.ts'
import { checkStructure } from '../../model/check-input.ts'
import type { Model } from '../../model/model.ts'
import { didYouMean } from '../../project/suggest.ts'
import type { Values } from '../../project/values.ts'
import type { Scope } from '../../query/scope.ts'
import type { ContentResponder } from '../content/respond.ts'
import { ownVersion } from '../own-version.ts'
import { stringifyQuery } from '../request/query-string.ts'
import { errorResponse } from '../response/error-response.ts'
import type { Server } from '../server.ts'
import type { LimitUploads } from '../upload/routes.ts'
import { checkArguments, withoutNull } from './check-arguments.ts'
import { type OfferedTools, offeredTools } from './offered-tools.ts'
import { errorMessage, failure, success } from './results.ts'
import type { ContentOperation, McpCaller, Tool } from './tool.ts'
import { contentTools } from './tools/index.ts'
import { uploadFile } from './tools/upload.ts'

export interface McpOptions {
  readonly server: Server
  readonly responder: ContentResponder
  readonly library: Library
  readonly limitUploads: LimitUploads
}

export interface Mcp {
  /** A protocol server for one caller, to be connected to a transport. */
  serverFor(caller: McpCaller): ProtocolServer
}

const INSTRUCTIONS =
  'Tools to read and write the content of an Octavo server. Start with describe_model, which lists the content-types that you may use; with `types` it also describes their attributes. Documents are identified by documentId. Relations, media, components and dynamic zones are returned only if you populate them. Writes save drafts, where a content-type has them; publish_document publishes.'

const CACHED_LISTS = 50

export function createMcp({ server, responder, library, limitUploads }: McpOptions): Mcp {
  const tools: readonly Tool[] = [...contentTools, uploadFile(library, limitUploads)]
  const { config } = server.project
  const isUsable = ({ effect }: Tool) => effect === 'read' || !config.mcp.readOnly
  const usable = tools.filter(isUsable)
  const serverInfo = { name: 'octavo', title: 'Octavo', version: ownVersion() }

  /** The tools depend on the model, which can change at any time, and on what the caller may do. */
  const cache = new WeakMap<Model, LRUCache<string, OfferedTools>>()
  async function offeredTo(scope: Scope): Promise<OfferedTools> {
    const model = await server.withLatestModel((pinned) => pinned.layout().model, true)
    const lists = cache.get(model) ?? new LRUCache({ max: CACHED_LISTS })
    cache.set(model, lists)
    const offered = lists.get(scope.key) ?? offeredTools(usable, model, scope, config)
    lists.set(scope.key, offered)
    return offered
  }

  async function list(caller: McpCaller): Promise<ToolDescription[]> {
    try {
      const scope = await server.access.scopeOf(caller.authorization)
      return [...(await offeredTo(scope)).descriptions]
    } catch (error) {
      const refusal = errorResponse(error, caller.requestId(), server.log)
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, errorMessage(refusal))
    }
  }

  async function call(caller: McpCaller, name: string, sent: Values): Promise<CallToolResult> {
    const requestId = caller.requestId()
    const tool = tools.find((one) => one.name === name)
    if (!tool) {
      const names = tools.map((one) => one.name)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${name}${didYouMean(name, names)}`,
      )
    }
    try {
      const scope = await server.access.scopeOf(caller.authorization)
      if (!isUsable(tool)) throw errors.readOnlyTools()
      const { builder, argumentsOf } = await offeredTo(scope)
      const schema = argumentsOf.get(name)
      if (!schema) throw errors.forbidden()
      checkStructure(sent, 'The arguments')
      const given = withoutNull(sent)
      checkArguments(schema, given)
      const perform = (operation: ContentOperation) => performAs(caller, requestId, operation)
      return success(await tool.run({ server, caller, requestId, builder, perform }, given))
    } catch (error) {
      return failure(errorResponse(error, requestId, server.log))
    }
  }

  const performAs = async (
    { authorization, client, userAgent }: McpCaller,
    requestId: string,
    { method, path, query, data, ifMatch }: ContentOperation,
  ) =>
    responder.responseTo({
      ...{ requestId, method, path },
      rawQuery: stringifyQuery(query),
      headers: {
        authorization,
        ...(userAgent !== null && { 'user-agent': userAgent }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      body: data === undefined ? undefined : { data },
      client,
    })

  return {
    serverFor(caller) {
      const protocol = new ProtocolServer(serverInfo, {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS,
      })
      protocol.setRequestHandler('tools/list', async () => ({ tools: await list(caller) }))
      protocol.setRequestHandler('tools/call', ({ params }) =>
        call(caller, params.name, params.arguments ?? {}),
      )
      return protocol
    },
  }
}
