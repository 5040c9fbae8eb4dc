import type { FastifyRequest } from 'fastify'

/** The query string as it was sent. */
export function rawQueryOf({ raw: { url = '' } }: FastifyRequest): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}
