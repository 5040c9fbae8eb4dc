/** The documents that refer to a document, with their titles and status, in one statement. */
import { typeViewOf } from '../../../access/team/type-view.ts'
import { errors } from '../../../errors.ts'
import { typeOf } from '../../../model/model.ts'
import { isObject, type Values } from '../../../project/values.ts'
import { USED_BY } from '../../../query/find-name.ts'
import type { ParamObject } from '../../../query/params.ts'
import { titleFields } from '../../auth/title-fields.ts'
import { type ContentCall, dataIn, performFor } from './operations.ts'

export async function usedBy(call: ContentCall, documentId: string) {
  const { server, scope } = call
  const { model } = server.layout()
  if (call.type.kind === 'single') throw errors.notFound()
  const views = await server.access.views.types()
  const mainFieldOf = (uid: string) => typeViewOf(typeOf(model, uid), views.get(uid)).mainField
  const readable = [...model.endpoints.values()].filter(({ uid }) => scope.may(uid, 'find'))
  const on = readable.map(({ uid, localized }): [string, ParamObject] => {
    const title = titleFields(scope, uid, mainFieldOf(uid))
    return [uid, { fields: ['documentId', ...title, ...(localized ? ['locale'] : [])] }]
  })
  const query = {
    ...{ status: 'draft', fields: 'documentId' },
    ...(call.type.localized && { locale: localeIn(call) }),
    populate: { [USED_BY]: { on: Object.fromEntries(on) } },
  }
  const document = dataIn(await performFor(call, { method: 'GET', path: [documentId], query }))
  const referring: unknown = document[USED_BY]
  const documents = Array.isArray(referring) ? referring.filter(isObject) : []
  return {
    data: documents.map((one: Values) => ({
      type: one.__type,
      documentId: one.documentId,
      locale: one.locale ?? null,
      title: one[mainFieldOf(String(one.__type))] ?? null,
      status: isObject(one.__meta) ? one.__meta.status : null,
    })),
    meta: { total: documents.length },
  }
}

function localeIn({ request, server }: ContentCall): string {
  const { searchParams } = new URL(request.url, 'http://localhost')
  return searchParams.get('locale') ?? server.layout().model.locales.default
}
