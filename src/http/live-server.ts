/** The server as routes see it: always with the model as it is now, or pinned to the state that a request began with. */
import type { Access } from '../access/access.ts'
import type { Documents, WriteTarget } from '../documents/documents.ts'
import { documentsAround } from '../documents/hooks/wrap-documents.ts'
import { type LiveModel, retryWithLatestModel, runWithLatestModel } from '../live/live-model.ts'
import type { ModelState } from '../live/model-state.ts'
import { withWrite } from '../live/store-with-write.ts'
import type { Store } from '../store/store.ts'
import type { Server } from './server.ts'

/** Documents of the model as it is now; a write that meets another model is done again. */
export function liveDocuments(live: LiveModel): Documents {
  const of = ({ layout }: ModelState, target: WriteTarget): WriteTarget => ({
    ...target,
    type: layout.model.types.get(target.type.uid) ?? target.type,
  })
  return documentsAround(
    ({ target, data }, answer, make) =>
      retryWithLatestModel(live, (state) =>
        make(state.documents, { target: of(state, target), data }, answer),
      ),
    (transaction, later) => live.current().documents.within(transaction, later),
  )
}

/** The store for writes that ask for the model inside their transaction; one that meets another model is done again. */
const liveStore = (store: Store, live: LiveModel): Store =>
  withWrite(store, (work, options) => retryWithLatestModel(live, (state) => state.store.write(work, options)))

type Constant = Pick<Server, 'extension' | 'log' | 'production'> & { readonly access: Access }

/** The server that routes are given. */
export function liveServer(store: Store, live: LiveModel, documents: Documents, constant: Constant): Server {
  const pinned = new WeakMap<ModelState, Server>()
  const pin = (state: ModelState): Server => {
    const known = pinned.get(state)
    if (known) return known
    const made: Server = {
      ...constant,
      project: state.project,
      store: state.store,
      documents: state.documents,
      layout: () => state.layout,
      reads: () => state.reads,
      withLatestModel: (work) => work(made),
    }
    pinned.set(state, made)
    return made
  }
  return {
    ...constant,
    get project() {
      return live.current().project
    },
    store: liveStore(store, live),
    documents,
    layout: () => live.current().layout,
    reads: () => live.current().reads,
    withLatestModel: (work, isRead) => runWithLatestModel(live, (state) => work(pin(state)), isRead),
  }
}
