/** A request to the upload routes, and what they share. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileWriter } from '../../media/files/permissions.ts'
import type { Library } from '../../media/library.ts'
import { FILE } from '../../model/model.ts'
import type { Action, Scope } from '../../query/scope.ts'
import { permittedScope } from '../auth/permitted.ts'
import type { Handler } from '../method-routes.ts'
import { originOf } from '../request/origin.ts'
import { JSON_TYPE } from '../response/content-response.ts'
import type { Server } from '../server.ts'

export interface Call {
  readonly server: Server
  readonly library: Library
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Makes the handler of a route. */
export type Handle = (work: (call: Call) => Promise<FastifyReply>) => Handler

/** The caller's scope; throws a 403 unless it may perform the action on files. */
export const permittedOnFiles = (
  { server, request }: Call,
  action: Action,
  documentId: string | null = null,
) => permittedScope({ server, authorization: request.headers.authorization }, FILE, action, documentId)

export const writerOf = ({ request }: Call, scope: Scope): FileWriter => ({
  scope,
  origin: originOf(request),
})

export const sendJson = (reply: FastifyReply, status: number, json: string) =>
  reply.code(status).header('content-type', JSON_TYPE).send(json)

export const send = (reply: FastifyReply, status: number, body: unknown) =>
  sendJson(reply, status, JSON.stringify(body))
