/** `publish_document`, `unpublish_document` and `delete_document`. */
import { argumentsSchema, documentIdArgument, typeArgument, versionArguments } from '../argument-schemas.ts'
import { documentPath, stringIn, typeIn } from '../check-arguments.ts'
import { typesFor } from '../permitted-types.ts'
import { queryOf } from '../query.ts'
import { DOCUMENT_RESULT, documentResult } from '../results.ts'
import type { Tool } from '../tool.ts'
import { IF_MATCH } from './write.ts'

type VersionAction = 'publish' | 'unpublish' | 'delete'

function versionTool(
  action: VersionAction,
  { title, description }: Pick<Tool, 'title' | 'description'>,
): Tool {
  return {
    name: `${action}_document`,
    title,
    description,
    effect: 'change',
    argumentsFor(builder) {
      const types = typesFor(builder, action)
      if (types.length === 0) return null
      return argumentsSchema(
        {
          type: typeArgument(types),
          ...documentIdArgument(types),
          ifMatch: IF_MATCH,
          ...versionArguments(builder.model, types, null, action === 'delete'),
        },
        ['type'],
      )
    },
    result: DOCUMENT_RESULT,
    async run(call, given) {
      const path = documentPath(typeIn(call, given, action), given)
      const operation = { query: queryOf(given, ['locale']), ifMatch: stringIn(given, 'ifMatch') }
      return documentResult(
        action === 'delete'
          ? await call.perform({ method: 'DELETE', path, ...operation })
          : await call.perform({ method: 'POST', path: [...path, 'actions', action], ...operation }),
      )
    },
  }
}

export const publishDocument = versionTool('publish', {
  title: 'Publish a document',
  description:
    'Makes the draft of a document its published version, which everyone who may read it sees. Fails if the draft is incomplete.',
})

export const unpublishDocument = versionTool('unpublish', {
  title: 'Unpublish a document',
  description: 'Removes the published version of a document. Its draft stays.',
})

export const deleteDocument = versionTool('delete', {
  title: 'Delete a document',
  description:
    'Deletes a document, draft and published version, in one locale or in all. Only documents with history can be restored: ask the user to confirm it first, naming the document.',
})
