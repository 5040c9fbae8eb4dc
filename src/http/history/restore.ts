/** `POST …/history/:version/restore`: makes a saved state the draft again, or creates a deleted document with it. */
import { restoreVersion } from '../../documents/history/restore-version.ts'
import { blueprintOf } from '../../documents/rows/blueprint.ts'
import { loadRowIds } from '../../documents/rows/load-versions.ts'
import { errors } from '../../errors.ts'
import { parseStatus } from '../../query/version-params.ts'
import type { DocumentResult } from '../../reads/results.ts'
import type { Transaction } from '../../store/store.ts'
import { checkPermitted } from '../auth/permitted.ts'
import { rowRulesOf } from '../content/row-rules.ts'
import { narrowWriteScope } from '../content/visible-types.ts'
import { type ContentResponse, documentResponse } from '../response/content-response.ts'
import { documentIdOf, type HistoryCall, historyScope, paramsOf, versionMeta } from './history-call.ts'
import { findVersion } from './read.ts'

/** With `status=published` it is published too. */
export async function restore(
  call: HistoryCall,
  id: string | null,
  version: string,
): Promise<ContentResponse> {
  const { server, type, documents, ifMatch } = call
  const caller = await historyScope(call, id)
  await checkPermitted(server, caller, type.uid, 'update', id)
  const { found } = await findVersion(call, id, version, caller)
  const sent = paramsOf(call)
  const status = sent.status === undefined || sent.status === '' ? 'draft' : parseStatus(sent, type)
  if (type.draftAndPublish && status === 'published')
    await checkPermitted(server, caller, type.uid, 'publish', id)
  const { locale } = found.item
  const params = { ...sent, status, ...(type.localized && { locale }) }
  const { scope, result } = await narrowWriteScope(server, type, params, caller, 'update')
  const documentId = await documentIdOf(call, id)
  const request = {
    ...{ type, status, scope, locale: type.localized ? locale : null },
    rules: rowRulesOf(server, scope),
    origin: call.origin(),
  }
  const readBack = (transaction: Transaction, written: { readonly documentId: string }) =>
    result.read(transaction, written.documentId)
  const restored = await documents.transaction(async (transaction, within) => {
    const rows = await loadRowIds(transaction, blueprintOf(server.layout(), type), documentId)
    if (rows.length === 0) await checkPermitted(server, caller, type.uid, 'create', documentId)
    const target = { documentId, version: found.item.version }
    const options = ifMatch === undefined ? {} : { ifMatch }
    return restoreVersion(transaction, within, server.layout(), request, target, readBack, options)
  })
  const meta = { restored: versionMeta(caller, found.item), notRestored: restored.notRestored }
  return withMeta(documentResponse(200, existing(restored.result)), meta)
}

function existing(result: DocumentResult | null): DocumentResult {
  if (!result) throw errors.notFound()
  return result
}

/** The response with an object in place of its empty `meta`. */
function withMeta(response: ContentResponse, meta: object): ContentResponse {
  const body = String(response.body).replace(/\{\}\}$/, () => `${JSON.stringify(meta)}}`)
  return { ...response, body }
}
