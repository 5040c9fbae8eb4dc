/** The paths of the admin API that show what permissions mean before and after they are saved. */
import type { DocumentBuilder } from '../../document-builder.ts'
import { pathParameter, queryParameter } from '../../operation.ts'
import { integer, openObject, type Schema } from '../../schemas/schema.ts'
import { type AddAdminOperation, adminBody, adminResponse, DONE } from '../admin-operation.ts'
import { errorResponses } from '../error-responses.ts'
import { pagination } from '../parameters.ts'

export function addRoleCheckPaths(
  builder: DocumentBuilder,
  add: AddAdminOperation,
  permissions: Schema,
): void {
  add('/permissions/check', 'post', {
    operationId: 'checkPermissions',
    summary: 'Check permissions against the content-types, without saving them',
    requestBody: adminBody(openObject({ permissions }, ['permissions'])),
    responses: { 204: { ...DONE, description: 'The permissions are valid.' }, ...errorResponses(400) },
  })
  add('/roles/{type}/content/{name}', 'get', {
    operationId: 'readContentAsRole',
    summary: 'Read content as a caller with this role does',
    description: 'Accepts the parameters of the list in the content API, and fails as that does.',
    parameters: [
      pathParameter('type', 'The type of the role, such as `authenticated`.'),
      pathParameter('name', 'The content-type as in the path of the content API, such as `articles`.'),
      queryParameter(
        'user',
        'The id of a user with this role, for permissions that depend on the user.',
        integer,
      ),
      ...pagination(builder),
    ],
    responses: {
      200: adminResponse('The documents, or the document of a single type.', {}),
      ...errorResponses(400, 404),
    },
  })
}
