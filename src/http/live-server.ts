/** The server that routes are given: with the current model, or pinned to the model that a request started with. */
import type { Access } from '../access/access.ts'
import type { Documents, WriteRequest } from '../documents/documents.ts'
import { wrapDocuments } from '../documents/hooks/wrap-documents.ts'
import type { LiveModel } from '../live/live-model.ts'
import type { ModelState } from '../live/model-state.ts'
import { retryWithLatestModel, runWithLatestModel } from '../live/retry-with-latest-model.ts'
import { withWrite } from '../live/store-with-write.ts'
import { createResponseCache } from '../reads/response-cache.ts'
import type { Store } from '../store/store.ts'
import type { Server } from './server.ts'

/** Documents of the current model. A write is repeated when the model changes meanwhile. */
export function liveDocuments(live: LiveModel): Documents {
  const forState = ({ layout }: ModelState, request: WriteRequest): WriteRequest => ({
    ...request,
    type: layout.model.types.get(request.type.uid) ?? request.type,
  })
  return wrapDocuments(
    ({ request, data }, readBack, run) =>
      retryWithLatestModel(live, (state) =>
        run(state.documents, { request: forState(state, request), data }, readBack),
      ),
    {
      transaction: (work) => retryWithLatestModel(live, (state) => state.documents.transaction(work)),
      within: (transaction) => live.current().documents.within(transaction),
    },
  )
}

/** The store for writes that read the model inside their transaction. A write is repeated when the model changes. */
const liveStore = (store: Store, live: LiveModel): Store =>
  withWrite(store, (work, options) => retryWithLatestModel(live, (state) => state.store.write(work, options)))

type Constant = Pick<Server, 'extension' | 'log' | 'production' | 'parseQuery'> & { readonly access: Access }

/** The server that routes are given. */
export function createLiveServer(
  store: Store,
  live: LiveModel,
  documents: Documents,
  constant: Constant,
): Server {
  let pinned: { readonly state: ModelState; readonly server: Server } | null = null

  /** The server of one state. With the model changes everything that a response depends on, so the cache is replaced. */
  function pin(state: ModelState): Server {
    if (pinned?.state === state) return pinned.server
    pinned?.server.responseCache?.close()
    const { enabled, maxBytes } = state.project.config.cache
    const server: Server = {
      ...constant,
      project: state.project,
      store: state.store,
      documents: state.documents,
      responseCache: enabled ? createResponseCache(state.store, maxBytes) : null,
      layout: () => state.layout,
      reads: () => state.reads,
      withLatestModel: (work) => work(server),
    }
    pinned = { state, server }
    return server
  }

  return {
    ...constant,
    get project() {
      return live.current().project
    },
    get responseCache() {
      return pin(live.current()).responseCache
    },
    store: liveStore(store, live),
    documents,
    layout: () => live.current().layout,
    reads: () => live.current().reads,
    withLatestModel: (work, isRead) => runWithLatestModel(live, (state) => work(pin(state)), isRead),
  }
}
