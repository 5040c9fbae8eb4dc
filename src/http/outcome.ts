/** What an operation comes to: a status, headers, and JSON text in the envelope of the seed. */
import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { pageMeta } from '../query/pagination.ts'
import type { DocumentAnswer, ListAnswer } from '../query/reads.ts'

export interface Outcome {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text; null for an empty body. */
  readonly body: string | Buffer | null
}

/** `{data: […], meta: {pagination}}` */
export function listOutcome({ page, total, cursors, omitted }: ListAnswer, data: string): Outcome {
  const pagination = JSON.stringify(pageMeta(page, total, cursors))
  return {
    status: 200,
    headers: omittedHeader(omitted),
    body: `{"data":${data},"meta":{"pagination":${pagination}}}`,
  }
}

/** `{data: {…}, meta: {}}`, with an ETag that If-Match understands: the version, then the content. */
export function documentOutcome(
  status: 200 | 201,
  { data: read, version, omitted }: DocumentAnswer,
  data = read,
): Outcome {
  return {
    status,
    headers: { etag: `"${version}-${hash('sha1', data, 'base64url')}"`, ...omittedHeader(omitted) },
    body: `{"data":${data},"meta":{}}`,
  }
}

/** Says which populated paths were left out because the caller may not see them. */
const omittedHeader = (omitted: readonly string[]): Record<string, string> =>
  omitted.length > 0 ? { 'octavo-omitted': omitted.join(', ') } : {}

/** Whether an If-None-Match header names the ETag of an outcome; `*` names whatever there is. */
export function isKnown({ headers: { etag } }: Outcome, ifNoneMatch: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return ifNoneMatch.trim() === '*' || (etag !== undefined && tags.includes(etag))
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends an outcome over HTTP. */
export function send(reply: FastifyReply, { status, headers, body }: Outcome): FastifyReply {
  reply.code(status).headers(headers)
  return body === null ? reply.send() : reply.header('content-type', JSON_TYPE).send(body)
}
