/** The query parameters of changes that can be planned first, and that must be confirmed when they affect content. */
import type { FastifyRequest } from 'fastify'
import { errors } from '../../errors.ts'
import { nearest } from '../../project/suggest.ts'

const FLAGS = ['dryRun', 'confirm']

/** Unknown flags are refused: a misspelt dryRun must not apply the change. */
export function parseFlags(request: FastifyRequest) {
  const params = new URL(request.url, 'http://localhost').searchParams
  for (const key of params.keys())
    if (!FLAGS.includes(key))
      throw errors.invalidKey({ key, path: null, source: 'query', meant: nearest(key, FLAGS) })
  const flag = (name: string) => {
    const value = params.get(name)
    if (value === null || value === 'true' || value === 'false') return value === 'true'
    throw errors.invalidParameter(name, null, 'must be true or false')
  }
  return { dryRun: flag('dryRun'), confirm: flag('confirm') }
}
