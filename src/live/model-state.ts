/** One state of the model, with everything that a request needs from its start to its end. */
import { hashWrittenPassword } from '../access/credentials/password.ts'
import { rateLimitKeyOf } from '../access/credentials/rate-limit.ts'
import { createDocuments, type Documents } from '../documents/documents.ts'
import type { PasswordWriter } from '../documents/input/hash-passwords.ts'
import type { SlowWriteReport } from '../documents/slow-writes.ts'
import { changeSinks } from '../events/sinks.ts'
import type { Project } from '../model/load-project.ts'
import type { ReadStats } from '../reads/read-stats.ts'
import { createReads, type Reads } from '../reads/reads.ts'
import { checkSchemaVersion } from '../store/migration/schema-version-check.ts'
import type { Store } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'
import { withWrite } from './store-with-write.ts'

export interface ModelState {
  readonly schemaVersion: number
  readonly project: Project
  readonly layout: Layout
  readonly reads: Reads
  readonly documents: Documents
  /** Its writes fail with SchemaChanged if the database has another schema version. */
  readonly store: Store
}

export interface ModelStateOptions {
  readonly store: Store
  readonly project: Project
  readonly layout: Layout
  readonly schemaVersion: number
  readonly watch?: ReadStats
  /** Reports slow writes. */
  readonly writes?: SlowWriteReport | undefined
  /** Adds the hooks of the project. */
  readonly extend: (documents: Documents) => Documents
}

export function createModelState(options: ModelStateOptions): ModelState {
  const { project, layout, schemaVersion, watch, writes, extend } = options
  const store = withSchemaVersionCheck(options.store, schemaVersion)
  const { passwordMemory: memory } = project.config.auth
  const documents = createDocuments({
    store,
    layout: () => layout,
    hashPassword: (password, by) => hashWrittenPassword(password, callerOf(by), { memory }),
    slowWrites: writes,
    sinks: changeSinks(project.config),
  })
  return {
    schemaVersion,
    project,
    layout,
    store,
    reads: createReads(store, layout, project.config, watch),
    documents: extend(documents),
  }
}

const withSchemaVersionCheck = (store: Store, schemaVersion: number): Store =>
  withWrite(store, (work, options) =>
    store.write(async (transaction) => {
      checkSchemaVersion(transaction, schemaVersion)
      return work(transaction)
    }, options),
  )

/** By address, where there is one: one person can have many accounts. */
const callerOf = ({ origin, scope }: PasswordWriter): string =>
  origin?.address ? rateLimitKeyOf(origin.address) : JSON.stringify(scope.principal)
