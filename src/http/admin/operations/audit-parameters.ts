/** Parses the parameters of the audit log. */
import { errors } from '../../../errors.ts'
import type { AuditFilter } from '../../../events/audit/read.ts'
import { formatInstant, parseInstant } from '../../../model/scalars/shared/instants.ts'
import { nearest } from '../../../project/suggest.ts'
import { isObject } from '../../../project/values.ts'
import type { Param, ParamObject } from '../../../query/params.ts'

export interface AuditParameters {
  readonly filter: AuditFilter
  /** Only records with a smaller number; null for the newest. */
  readonly before: number | null
  readonly pageSize: number
  readonly format: 'json' | 'jsonl' | 'csv'
}

const TEXT_FILTERS = ['by', 'action', 'type', 'documentId'] as const
const TIME_FILTERS = ['from', 'to'] as const
const KEYS = [...TEXT_FILTERS, ...TIME_FILTERS, 'pagination', 'format']
const PAGE_KEYS = ['cursor', 'pageSize', 'limit']

const JSON_LINES = /\bapplication\/(jsonl|x-jsonl|x-jsonlines|jsonlines|ndjson|x-ndjson)\b/

export function parseAuditParameters(
  params: ParamObject,
  accept: string | undefined,
  { defaultLimit, maxLimit }: { readonly defaultLimit: number; readonly maxLimit: number },
): AuditParameters {
  refuseUnknown(Object.keys(params), KEYS, null)
  const { pagination = {}, format = JSON_LINES.test(accept ?? '') ? 'jsonl' : 'json' } = params
  if (format !== 'json' && format !== 'jsonl' && format !== 'csv')
    throw errors.invalidParameter('format', null, 'expected json, jsonl or csv')
  if (!isObject(pagination))
    throw errors.invalidParameter('pagination', null, 'expected an object, such as pagination[pageSize]=50')
  refuseUnknown(Object.keys(pagination), PAGE_KEYS, 'pagination')
  const size = integerIn(pagination.pageSize ?? pagination.limit, 'pageSize') ?? defaultLimit
  return {
    filter: {
      ...Object.fromEntries(TEXT_FILTERS.flatMap((name) => entry(name, textIn(params[name], name)))),
      ...Object.fromEntries(TIME_FILTERS.flatMap((name) => entry(name, instantIn(params[name], name)))),
    },
    before: cursorIn(pagination.cursor),
    pageSize: Math.min(Math.max(size, 1), maxLimit),
    format,
  }
}

const entry = (name: string, value: string | null): [string, string][] =>
  value === null ? [] : [[name, value]]

function refuseUnknown(keys: readonly string[], known: readonly string[], path: string | null): void {
  const key = keys.find((one) => !known.includes(one))
  if (key !== undefined) throw errors.invalidKey({ key, path, source: 'query', meant: nearest(key, known) })
}

const BY = /^(public|system|(user|token):.+)$/

function textIn(value: Param | undefined, name: string): string | null {
  if (value === undefined || value === '') return null
  if (typeof value !== 'string' || value.includes('\0'))
    throw errors.invalidParameter(name, null, 'expected a string')
  if (name === 'by' && !BY.test(value))
    throw errors.invalidParameter(name, null, 'expected user:<documentId>, token:<id>, public or system')
  return value
}

function instantIn(value: Param | undefined, name: string): string | null {
  if (value === undefined || value === '') return null
  const time = typeof value === 'string' ? parseInstant(value) : null
  const instant = time === null ? null : formatInstant(time)
  if (instant === null) throw errors.invalidParameter(name, null, 'expected an ISO 8601 date and time')
  return instant
}

function integerIn(value: unknown, path: string): number | null {
  if (value === undefined || value === '') return null
  if (typeof value !== 'string' || !/^-?\d{1,15}$/.test(value))
    throw errors.invalidParameter('pagination', path, 'expected an integer')
  return Number(value)
}

function cursorIn(value: unknown): number | null {
  if (value === undefined || value === '' || value === 'start') return null
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value))
    throw errors.invalidParameter('pagination', 'cursor', 'expected start, or a cursor from a response')
  return Number(value)
}
