/** Parses the parameter `kind` of lists of files: only images, videos, sounds, or other files. */
import { errors } from '../../errors.ts'
import { type ContentType, FILE } from '../../model/model.ts'
import type { Condition } from '../../plan/query-tree.ts'
import { FILE_KINDS } from '../../store/tables/file-kind.ts'
import type { ParamObject } from '../params.ts'
import { addValue, type ParseContext } from '../parse-context.ts'
import type { Scope } from '../scope.ts'

/** The kind is a part of the MIME type, so it can be requested by those who may read that. */
export function parseFileKind(
  context: ParseContext,
  type: ContentType,
  { kind }: ParamObject,
  scope: Scope,
): Condition | null {
  if (type.uid !== FILE || kind === undefined || kind === '') return null
  const fields = scope.rule(FILE, 'find')?.fields
  if (fields && !fields.includes('mime'))
    throw errors.invalidKey({ key: 'kind', path: null, source: 'query' })
  const known = FILE_KINDS.find((one) => one === kind)
  if (!known) throw errors.invalidParameter('kind', null, `expected one of ${FILE_KINDS.join(', ')}`)
  return { kind: 'fileKind', value: addValue(context, known) }
}
