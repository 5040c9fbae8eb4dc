/** One state of the model: everything that a request which began under it uses to its end. */
import { hashPassword } from '../access/credentials/password.ts'
import { createDocuments, type Documents } from '../documents/documents.ts'
import { type WatchedWrites, type WriteWatch, watchWrites } from '../documents/hooks/slow-writes.ts'
import type { Project } from '../model/load-project.ts'
import type { ReadStats } from '../reads/read-stats.ts'
import { createReads, type Reads } from '../reads/reads.ts'
import { checkSchemaVersion } from '../store/migration/schema-version-check.ts'
import type { Store } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'
import { withWrite } from './store-with-write.ts'

export interface ModelState {
  /** Counts the models of the database. */
  readonly schemaVersion: number
  readonly project: Project
  readonly layout: Layout
  readonly reads: Reads
  readonly documents: Documents
  /** Its writes fail with SchemaMoved when the database has another model by then. */
  readonly store: Store
}

export interface ModelStateOptions {
  readonly store: Store
  readonly project: Project
  readonly layout: Layout
  readonly schemaVersion: number
  readonly watch?: ReadStats
  /** Absent when nobody wants to know of slow writes. */
  readonly writes?: WriteWatch | undefined
  /** Puts the hooks of the project around documents. */
  readonly extend: (documents: Documents) => Documents
}

export function createModelState(options: ModelStateOptions): ModelState {
  const { store, project, layout, schemaVersion: number, watch, extend } = options
  const writes = options.writes ? watchWrites(options.writes) : null
  const own = withSchemaVersionCheck(store, number, writes)
  const documents = createDocuments({ store: own, layout: () => layout, hashPassword })
  return {
    schemaVersion: number,
    project,
    layout,
    store: writes?.store(own) ?? own,
    reads: createReads(own, layout, project.config, watch),
    documents: extend(writes?.documents(documents) ?? documents),
  }
}

const withSchemaVersionCheck = (store: Store, number: number, writes: WatchedWrites | null): Store =>
  withWrite(store, (work, options) => {
    const asked = writes ? performance.now() : 0
    return store.write(async (transaction) => {
      checkSchemaVersion(transaction, number)
      writes?.begins(transaction, performance.now() - asked)
      return work(transaction)
    }, options)
  })
