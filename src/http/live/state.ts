/** One state of the model: everything that a request which began under it uses to its end. */
import { hashPassword } from '../../access/password.ts'
import { createDocuments, type Documents } from '../../documents/documents.ts'
import type { Project } from '../../model/load.ts'
import { createReads, type Reads } from '../../query/reads.ts'
import type { ReadWatch } from '../../query/watch.ts'
import type { Layout } from '../../store/layout.ts'
import { expectSchema } from '../../store/migration/guard.ts'
import type { Store } from '../../store/store.ts'
import { withWrite } from './store.ts'

export interface ModelState {
  /** Counts the models of the database. */
  readonly number: number
  readonly project: Project
  readonly layout: Layout
  readonly reads: Reads
  readonly documents: Documents
  /** Its writes fail with SchemaMoved when the database has another model by then. */
  readonly store: Store
}

export interface StateOptions {
  readonly store: Store
  readonly project: Project
  readonly layout: Layout
  readonly number: number
  readonly watch?: ReadWatch
  /** Puts the hooks of the project around documents. */
  readonly extend: (documents: Documents) => Documents
}

export function createState({ store, project, layout, number, watch, extend }: StateOptions): ModelState {
  const own = guarded(store, number)
  return {
    number,
    project,
    layout,
    store: own,
    reads: createReads(own, layout, project.config, watch),
    documents: extend(createDocuments({ store: own, layout: () => layout, hashPassword })),
  }
}

const guarded = (store: Store, number: number): Store =>
  withWrite(store, (work, options) =>
    store.write(async (transaction) => {
      await expectSchema(transaction, number)
      return work(transaction)
    }, options),
  )
