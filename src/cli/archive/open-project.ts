/** A project opened for moving its content: its database and its storage. */
import { openModel, openStoredModel, projectToServe } from '../../live/open-model.ts'
import { openStorage } from '../../media/storage/providers.ts'
import type { Staging } from '../../media/storage/staging.ts'
import type { Storage } from '../../media/storage/storage.ts'
import type { Project } from '../../model/load-project.ts'
import type { Model } from '../../model/model.ts'
import type { Store } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { openDatabase, openExistingDatabase, printableUrl, readDatabase } from '../database.ts'

export interface Opened {
  readonly store: Store
  readonly layout: Layout
  /** The number of the model in the database. */
  readonly number: number
  readonly storage: Storage
  readonly staging: Staging
  /** The database, without what is secret in its address. */
  readonly place: string
}

/** Which model the database is opened with: that of its content, or that of the schema files, which it is brought in line with. */
type WithModel = 'of the content' | 'of the files'

/** Does the work with the project open, and closes it whatever happens. */
export async function withProject(
  project: Project,
  model: WithModel,
  work: (opened: Opened) => Promise<void>,
) {
  const { config, dir } = project
  const store = await (model === 'of the content' ? openExistingDatabase : openDatabase)(project)
  try {
    const { layout, schemaVersion: number } =
      model === 'of the content'
        ? await openStoredModel(store, project)
        : await openModel(store, project, isProduction())
    const { storage, staging } = await openStorage(config.upload, dir)
    try {
      await work({ store, layout, number, storage, staging, place: printableUrl(config.database.url) })
    } finally {
      storage.close()
    }
  } finally {
    await store.close()
  }
}

/** The model that an import will find in the database, which is not changed by asking. */
export const modelToImportInto = (project: Project): Promise<Model> =>
  readDatabase(project, async (store) => (await projectToServe(store, project, isProduction())).model)

const isProduction = () => process.env.NODE_ENV === 'production'
