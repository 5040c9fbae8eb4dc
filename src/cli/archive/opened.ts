/** A project opened for moving its content: its database and its storage. */
import { resolve } from 'node:path'
import { ArchiveError } from '../../documents/transfer/line.ts'
import { openAsItIs, openModel } from '../../http/live/open.ts'
import { openStorage } from '../../media/open-storage.ts'
import type { Staging } from '../../media/staging.ts'
import type { Storage } from '../../media/storage.ts'
import type { Layout } from '../../store/layout.ts'
import type { Store } from '../../store/store.ts'
import { openDatabase, openUsed, placeOf } from '../database.ts'
import { UsageError } from '../explain.ts'
import type { ProjectOptions } from '../options.ts'
import { projectOf } from '../project.ts'

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
  options: ProjectOptions,
  model: WithModel,
  work: (opened: Opened) => Promise<void>,
) {
  const project = await projectOf(options)
  const { config, dir } = project
  const store = await (model === 'of the content' ? openUsed : openDatabase)(project)
  try {
    const { layout, number } =
      model === 'of the content'
        ? await openAsItIs(store, project)
        : await openModel(store, project, process.env.NODE_ENV === 'production')
    const { storage, staging } = await openStorage(config.upload, resolve(dir, config.upload.directory))
    try {
      await work({ store, layout, number, storage, staging, place: placeOf(config.database.url) })
    } finally {
      storage.close()
    }
  } catch (failure) {
    throw failure instanceof ArchiveError ? new UsageError(failure.message) : failure
  } finally {
    await store.close()
  }
}
