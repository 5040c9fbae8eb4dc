/** Opens the database and the file storage of a project for an export or import. */
import type { ChangeSink } from '../../documents/changes/change-record.ts'
import { changeSinks } from '../../events/sinks.ts'
import { openModel, openStoredModel, projectToServe } from '../../live/open-model.ts'
import { openStorage } from '../../media/storage/providers.ts'
import type { Staging } from '../../media/storage/staging.ts'
import type { Storage } from '../../media/storage/storage.ts'
import type { Project } from '../../model/load-project.ts'
import type { Model } from '../../model/model.ts'
import type { Store } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { openDatabase, openExistingDatabase, printableUrl, readDatabase } from '../database.ts'

export interface OpenProject {
  readonly store: Store
  readonly layout: Layout
  /** The schema version of the database. */
  readonly schemaVersion: number
  readonly storage: Storage
  readonly staging: Staging
  /** Receive the records of what is changed. */
  readonly sinks: readonly ChangeSink[]
  /** The address of the database without credentials. */
  readonly address: string
}

/** The model to open the database with: its own, or that of the schema files, to which the database is migrated. */
type ModelSource = 'database' | 'schema files'

/** Opens the project, runs `work` and closes the project. */
export async function withProject(
  project: Project,
  modelSource: ModelSource,
  work: (opened: OpenProject) => Promise<void>,
) {
  const { config, dir } = project
  const store = await (modelSource === 'database' ? openExistingDatabase : openDatabase)(project)
  try {
    const { layout, schemaVersion } =
      modelSource === 'database'
        ? await openStoredModel(store, project)
        : await openModel(store, project, isProduction())
    const { storage, staging } = await openStorage(config.upload, dir)
    try {
      await work({
        store,
        layout,
        schemaVersion,
        storage,
        staging,
        sinks: changeSinks(config),
        address: printableUrl(config.database.url),
      })
    } finally {
      storage.close()
    }
  } finally {
    await store.close()
  }
}

/** The model that an import will use. Does not change the database. */
export const modelToImportInto = (project: Project): Promise<Model> =>
  readDatabase(project, async (store) => (await projectToServe(store, project, isProduction())).model)

const isProduction = () => process.env.NODE_ENV === 'production'
