/** What an operation comes to: a status, headers, and JSON text in the envelope of the seed. */
import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { pageMeta } from '../../query/pagination.ts'
import type { DocumentAnswer, ListAnswer } from '../../reads/reads.ts'

export interface Outcome {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text; null for an empty body. */
  readonly body: string | Buffer | null
  /** How it goes over the wire, when it is kept to be sent many times. */
  readonly kept?: KeptForm
}

/** What is the same each time an outcome is sent. */
export interface KeptForm {
  /** What it is kept under. */
  readonly key: string
  /** Its own headers: names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string | Buffer
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

/** An outcome for a caller who may have it already: without its body when If-None-Match names its ETag. */
export const unlessKnown = (outcome: Outcome, ifNoneMatch: string | undefined): Outcome =>
  ifNoneMatch !== undefined && names(ifNoneMatch, outcome.headers.etag)
    ? { status: 304, headers: outcome.headers, body: null }
    : outcome

/** Whether an If-None-Match header names an ETag; `*` names whatever there is. */
export function names(ifNoneMatch: string, etag: string | undefined): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return ifNoneMatch.trim() === '*' || (etag !== undefined && tags.includes(etag))
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends an outcome over HTTP. */
export function send(reply: FastifyReply, { status, headers, body }: Outcome): FastifyReply {
  reply.code(status).headers(headers)
  return body === null ? reply.send() : reply.header('content-type', JSON_TYPE).send(body)
}
