/** Recently changed documents as one person may find them, with their title and status. */
import { typeViewOf } from '../../../access/team/type-view.ts'
import { ApiError } from '../../../errors.ts'
import type { ContentType } from '../../../model/model.ts'
import { segmentOf } from '../../../model/naming.ts'
import { isObject, type Values } from '../../../project/values.ts'
import { readAuthorNames } from '../../auth/author-names.ts'
import { titleFields } from '../../auth/title-fields.ts'
import { authorJson } from '../../schedules/author-json.ts'
import { type ContentCall, dataIn, pageIn, performFor } from '../content/operations.ts'
import { keyOf, type RecentChange } from './recent-changes.ts'

/** A request of a person, which is about no content-type in particular. */
export type HomeCall = Omit<ContentCall, 'type' | 'name'>

/** Documents of one content-type and locale that are read together. */
const MAX_DOCUMENTS = 50

/** Leaves out documents that the person may not find, and those that no longer exist. */
export async function readRecentDocuments(call: HomeCall, changes: readonly RecentChange[]) {
  const named = await readAuthorNames(
    call.server,
    changes.map(({ author }) => authorJson(author)),
  )
  const found = new Map<string, { readonly title: string | null; readonly status: string | null }>()
  for (const [, group] of Map.groupBy(changes, ({ type, locale }) => `${type} ${locale ?? ''}`))
    for (const [key, document] of await readGroup(call, group.slice(0, MAX_DOCUMENTS)))
      found.set(key, document)
  return changes.flatMap(({ author, ...change }) => {
    const document = found.get(keyOf(change))
    return document ? [{ ...change, by: named(authorJson(author)), ...document }] : []
  })
}

/** Changes of one content-type in one locale. */
async function readGroup(call: HomeCall, changes: readonly RecentChange[]) {
  const { server, scope } = call
  const [{ type: uid, locale } = { type: '', locale: null }] = changes
  const { model } = server.layout()
  const type = [...model.endpoints.values()].find((one) => one.uid === uid)
  if (!type || !scope.may(uid, 'find')) return []
  const { mainField } = typeViewOf(type, (await server.access.views.types()).get(uid))
  const documents = await readDocuments(call, type, mainField, {
    ...(type.localized && locale !== null && { locale }),
    filters: { documentId: { $in: changes.map(({ documentId }) => documentId) } },
  })
  return documents.map((document) => {
    const title = document[mainField]
    const status = isObject(document.__meta) ? document.__meta.status : null
    const key = keyOf({ type: uid, documentId: String(document.documentId), locale })
    return [
      key,
      {
        title: title === null || title === undefined ? null : String(title),
        status: type.draftAndPublish && typeof status === 'string' ? status : null,
      },
    ] as const
  })
}

async function readDocuments(
  call: HomeCall,
  type: ContentType,
  mainField: string,
  selected: { readonly locale?: string; readonly filters: { documentId: { $in: string[] } } },
): Promise<readonly Values[]> {
  const fields = ['documentId', ...titleFields(call.scope, type.uid, mainField)]
  const name = segmentOf(type)
  const query = { ...selected, status: 'draft', fields }
  try {
    if (type.kind === 'single') {
      const { filters: _, ...single } = query
      const response = await performFor({ ...call, type, name }, { method: 'GET', query: single })
      return [dataIn(response)]
    }
    const pagination = { pageSize: String(MAX_DOCUMENTS), withCount: 'false' }
    return pageIn(
      await performFor({ ...call, type, name }, { method: 'GET', query: { ...query, pagination } }),
    ).documents
  } catch (error) {
    // A policy of the project may refuse the person, and a single type may have been deleted.
    if (error instanceof ApiError && error.status < 500) return []
    throw error
  }
}
