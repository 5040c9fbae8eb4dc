/** A tool of the MCP server: what it is called, which arguments it takes from a caller, and what it does. */
import type { ContentType } from '../../model/model.ts'
import type { Values } from '../../project/values.ts'
import type { ParamObject } from '../../query/params.ts'
import type { Client } from '../../reads/caller-limits.ts'
import type { DocumentBuilder } from '../openapi/document-builder.ts'
import type { Properties, Schema } from '../openapi/schemas/schema.ts'
import type { ContentResponse } from '../response/content-response.ts'
import type { Server } from '../server.ts'

/** Who calls a tool, and where the call comes from. */
export interface McpCaller {
  /** The Authorization header: every call has the scope of this credential. */
  readonly authorization: string
  readonly requestId: () => string
  readonly client: Client
  readonly userAgent: string | null
}

/** What a tool does to the content: `add` creates something new, `change` replaces or removes something. */
export type Effect = 'read' | 'add' | 'change'

/** Arguments are an object; clients accept no other schema. */
export interface ArgumentsSchema extends Schema {
  readonly type: 'object'
  readonly properties: Properties
  readonly required: readonly string[]
}

/** Whether arguments that depend on the content-type have their whole schema, or are any object. */
export type Detail = 'full' | 'brief'

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly effect: Effect
  /** The arguments, for what the caller may do; null if the caller may not use the tool at all. */
  argumentsFor(builder: DocumentBuilder, detail: Detail): ArgumentsSchema | null
  readonly result: Schema
  /** Does it, with arguments that have the types of the schema. Throws what is wrong with them. */
  run(call: ToolCall, given: Values): Promise<Values>
}

/** An operation of the content API. */
export interface ContentOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: readonly string[]
  readonly query: ParamObject
  readonly data?: unknown
  readonly ifMatch?: string | undefined
}

export interface ToolCall {
  readonly server: Server
  readonly caller: McpCaller
  readonly requestId: string
  /** The model as the caller may see it. */
  readonly builder: DocumentBuilder
  /** Performs an operation for the caller, with all checks of a request. Throws what is wrong with it. */
  perform(operation: ContentOperation): Promise<ContentResponse>
}

/** A content-type and its name in paths, which is also its name in arguments. */
export interface NamedType {
  readonly name: string
  readonly type: ContentType
}
