/** The paths that list and change the locales of the project. */
import { pathParameter, queryParameter } from '../../operation.ts'
import { arrayOf, boolean, integer, nullable, nullSchema, openObject, string } from '../../schemas/schema.ts'
import { type AddAdminOperation, adminBody, adminResponse, DONE } from '../admin-operation.ts'
import { errorResponses } from '../error-responses.ts'

export function addLocalePaths(add: AddAdminOperation): void {
  const code = pathParameter('code', 'The code of the locale, such as pt-BR.')
  const name = { ...nullable(string), description: 'What people call the locale; null for its usual name.' }
  const locale = openObject({ code: string, name, isDefault: boolean }, ['code', 'name', 'isDefault'])
  add('/locales', 'get', {
    operationId: 'listConfiguredLocales',
    summary: 'List the locales of the project',
    responses: {
      200: adminResponse(
        'The locales.',
        arrayOf(locale),
        openObject(
          { editable: boolean, reason: { ...nullable(string), description: 'Why they cannot be changed.' } },
          ['editable', 'reason'],
        ),
      ),
      ...errorResponses(),
    },
  })
  add('/locales', 'post', {
    operationId: 'createLocale',
    summary: 'Add a locale',
    description: 'Written to config/locales.json, and active when the response is sent.',
    requestBody: adminBody(openObject({ code: string, name, isDefault: boolean }, ['code'])),
    responses: { 201: adminResponse('The locale.', locale), ...errorResponses(400) },
  })
  add('/locales/{code}', 'put', {
    operationId: 'updateLocale',
    summary: 'Rename a locale, or make it the default',
    parameters: [code],
    requestBody: adminBody(openObject({ name, isDefault: boolean })),
    responses: { 200: adminResponse('The locale.', locale), ...errorResponses(400, 404) },
  })
  const content = openObject(
    { content: arrayOf(openObject({ uid: string, documents: integer }, ['uid', 'documents'])) },
    ['content'],
  )
  add('/locales/{code}', 'delete', {
    operationId: 'deleteLocale',
    summary: 'Remove a locale',
    description: 'Its content stays in the database, and cannot be changed until the locale is added again.',
    parameters: [
      code,
      queryParameter('dryRun', 'Only describe the change.', boolean),
      queryParameter('confirm', 'Required if documents have content in the locale.', boolean),
    ],
    responses: {
      200: adminResponse('The documents with content in the locale, with dryRun.', nullSchema, content),
      204: DONE,
      ...errorResponses(400, 404),
    },
  })
}
