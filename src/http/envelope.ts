/** Successful answers: JSON text in the envelope of the seed. */
import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { pageMeta } from '../query/pagination.ts'
import type { DocumentAnswer, ListAnswer } from '../query/reads.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** `{data: […], meta: {pagination}}` */
export function sendList(reply: FastifyReply, answer: ListAnswer): FastifyReply {
  tellOmitted(reply, answer.omitted)
  const pagination = JSON.stringify(pageMeta(answer.page, answer.total))
  return reply
    .header('content-type', JSON_TYPE)
    .send(`{"data":${answer.data},"meta":{"pagination":${pagination}}}`)
}

/** `{data: {…}, meta: {}}`, with an ETag that If-Match understands: the revision, then the content. */
export function sendDocument(reply: FastifyReply, status: 200 | 201, answer: DocumentAnswer): FastifyReply {
  tellOmitted(reply, answer.omitted)
  return reply
    .code(status)
    .header('content-type', JSON_TYPE)
    .header('etag', `"${answer.revision}-${hash('sha1', answer.data, 'base64url')}"`)
    .send(`{"data":${answer.data},"meta":{}}`)
}

/** Says which populated paths were left out because the caller may not see them. */
function tellOmitted(reply: FastifyReply, omitted: readonly string[]): void {
  if (omitted.length > 0) reply.header('octavo-omitted', omitted.join(', '))
}
