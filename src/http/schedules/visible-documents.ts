/** Which documents a caller may find, and their titles, for lists that name documents of several content-types. */
import { typeViewOf } from '../../access/team/type-view.ts'
import { ApiError } from '../../errors.ts'
import type { ContentType } from '../../model/model.ts'
import { isObject, type Values } from '../../project/values.ts'
import type { Scope } from '../../query/scope.ts'
import { checkPermitted } from '../auth/permitted.ts'
import { titleFields } from '../auth/title-fields.ts'
import type { Server } from '../server.ts'

export interface NamedDocument {
  /** uid of the content-type. */
  readonly type: string
  readonly documentId: string
  /** '' or null on types that are not localized. */
  readonly locale: string | null
}

export interface VisibleDocument {
  readonly title: string | null
}

/** Null for a document that the caller may not find in this locale, in whatever version, or that does not exist. */
export type VisibleDocuments = (document: NamedDocument) => VisibleDocument | null

/** Documents per list. */
const MAX_DOCUMENTS = 50

export async function visibleDocuments(
  server: Server,
  scope: Scope,
  documents: readonly NamedDocument[],
): Promise<VisibleDocuments> {
  const found = new Map<string, VisibleDocument>()
  const views = await server.access.views.types()
  for (const uid of new Set(documents.map(({ type }) => type))) {
    const type = server.layout().model.types.get(uid)
    if (!type || !(await mayFind(server, scope, uid))) continue
    const { mainField } = typeViewOf(type, views.get(uid))
    const ids = [...new Set(documents.flatMap((one) => (one.type === uid ? [one.documentId] : [])))]
    for (let from = 0; from < ids.length; from += MAX_DOCUMENTS) {
      const chunk = ids.slice(from, from + MAX_DOCUMENTS)
      for (const status of scope.may(uid, 'readDrafts') ? ['published', 'draft'] : ['published'])
        for (const one of await readVersions(server, scope, type, chunk, status, mainField)) {
          const title = one[mainField]
          const named = { type: uid, documentId: String(one.documentId), locale: localeIn(one) }
          found.set(keyOf(named), { title: title === null || title === undefined ? null : String(title) })
        }
    }
  }
  return (document) => found.get(keyOf(document)) ?? null
}

const keyOf = ({ type, documentId, locale }: NamedDocument) => `${type} ${documentId} ${locale ?? ''}`

const localeIn = ({ locale }: Values) => (typeof locale === 'string' ? locale : null)

async function mayFind(server: Server, scope: Scope, uid: string): Promise<boolean> {
  try {
    await checkPermitted(server, scope, uid, 'find', null)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false
    throw error
  }
}

async function readVersions(
  server: Server,
  scope: Scope,
  type: ContentType,
  ids: readonly string[],
  status: string,
  mainField: string,
): Promise<Values[]> {
  const fields = ['documentId', ...titleFields(scope, type.uid, mainField)]
  const query = {
    ...{ status, fields: type.localized ? [...fields, 'locale'] : fields },
    ...(type.localized && { locale: '*' }),
    filters: { documentId: { $in: [...ids] } },
  }
  const all: Values[] = []
  for (;;) {
    const { data } = await server
      .reads()
      .list(type, { ...query, pagination: { start: String(all.length) } }, scope)
    const page: unknown = JSON.parse(data)
    const documents = Array.isArray(page) ? page.filter(isObject) : []
    all.push(...documents)
    if (documents.length === 0) return all
  }
}
