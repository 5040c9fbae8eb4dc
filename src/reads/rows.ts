/** What the first row of a plan says. */
import type { Plan } from '../plan/plan.ts'
import type { DocumentResult } from './reads.ts'
import type { VersionStamp } from './response-cache.ts'

/** JSON text of a list. */
export const listOf = ({ wrapper: { open, close } }: Plan, data: unknown): string =>
  data === null ? '[]' : `${open}${textOf(data)}${close}`

function textOf(data: unknown): string {
  if (typeof data !== 'string') throw new Error('A plan yields JSON text')
  return data
}

/** The stamp of what is read inside a transaction: never to be kept. */
export const NEVER: VersionStamp = { tables: [], versions: 'never' }

/** A document, from what its plan yields. */
export const documentOf = (
  data: unknown,
  version: string,
  omitted: readonly string[],
  stamp: VersionStamp,
): DocumentResult => ({ data: textOf(data), version, omitted, stamp })
