/** `document_history`: the saved states of a document, for content-types that keep them. */
import { boolean } from '../../openapi/schemas/schema.ts'
import {
  argumentsSchema,
  documentIdArgument,
  pageArguments,
  SELECTION,
  typeArgument,
  versionArguments,
} from '../argument-schemas.ts'
import { documentPath, typeIn } from '../check-arguments.ts'
import { typesFor } from '../permitted-types.ts'
import { paginationOf, queryOf } from '../query.ts'
import { HISTORY_RESULT, listResult } from '../results.ts'
import type { Tool } from '../tool.ts'

export const documentHistory: Tool = {
  name: 'document_history',
  title: 'Read the history of a document',
  description:
    'Lists the saved states of a document, newest first: who saved which version, when, and by which action. With `version`, returns the document as it was then, or with `changes` what was changed in it. Also works for deleted documents.',
  effect: 'read',
  argumentsFor(builder) {
    const types = typesFor(builder, 'history')
    if (types.length === 0) return null
    return argumentsSchema(
      {
        type: typeArgument(types),
        ...documentIdArgument(types),
        version: { type: 'integer', minimum: 1, description: 'The number of a saved state in the list.' },
        changes: { ...boolean, description: 'With `version`: what it changed in the state before it.' },
        ...SELECTION,
        ...pageArguments(builder.config),
        ...versionArguments(builder.model, types, null),
      },
      ['type'],
    )
  },
  result: HISTORY_RESULT,
  async run(call, given) {
    const { version, changes } = given
    const path = [...documentPath(typeIn(call, given, 'history'), given), 'history']
    if (version === undefined) {
      const query = { ...queryOf(given, ['locale']), ...paginationOf(given) }
      return listResult(await call.perform({ method: 'GET', path, query }))
    }
    const state = [...path, String(version)]
    return listResult(
      changes === true
        ? await call.perform({ method: 'GET', path: [...state, 'changes'], query: {} })
        : await call.perform({ method: 'GET', path: state, query: queryOf(given, ['fields', 'populate']) }),
    )
  },
}
