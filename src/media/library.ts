/**
 * The library of files: what uploads become. A record is written only when its bytes are stored, and bytes are
 * removed only when no record leads to them any more.
 */
import { authorOf } from '../documents/author.ts'
import { newDocumentId } from '../documents/document-id.ts'
import { errors } from '../errors.ts'
import { FILE } from '../model/model.ts'
import type { UploadConfig } from '../project/config/config.ts'
import { type Scope, systemScope } from '../query/scope.ts'
import type { Reads } from '../reads/reads.ts'
import { StartError } from '../store/errors.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'
import { type AttachTarget, attachFiles, checkFileKinds, checkMayAttach } from './attach.ts'
import { checkUsages } from './files/check-usage.ts'
import type { FileInfo } from './files/file-info.ts'
import { createFileLifecycle } from './files/file-lifecycle.ts'
import {
  deleteFile,
  type FileDocument,
  fileType,
  findFile,
  insertFile,
  isUsed,
  updateFile,
  urlsOf,
} from './files/records.ts'
import { createImageQueue } from './images/image-queue.ts'
import { type PrepareContext, prepareFile } from './prepare.ts'
import type { ReceivedFile } from './receive.ts'
import { openStorage } from './storage/providers.ts'
import type { Stage, Staging } from './storage/staging.ts'
import { keyOfUrl, type Storage } from './storage/storage.ts'

export interface LibraryOptions {
  readonly store: Store
  readonly layout: () => Layout
  readonly reads: () => Reads
  readonly config: UploadConfig
  /** The project folder. */
  readonly directory: string
  readonly log: { warn(message: string): void }
}

/** All answers are the JSON text of file records. */
export interface Library {
  readonly config: UploadConfig
  readonly storage: Storage
  readonly staging: Staging
  /** Stores files and writes their records, attached to a document if a place is given: all of them or none. */
  create(
    files: readonly ReceivedFile[],
    infos: readonly FileInfo[],
    place: AttachTarget | null,
    scope: Scope,
    stage: Stage,
  ): Promise<string[]>
  /** Gives a file other bytes; it keeps its id and its place in documents. */
  replace(id: string, file: ReceivedFile, info: FileInfo, scope: Scope, stage: Stage): Promise<string>
  /** Changes what is said about a file. */
  describe(id: string, info: FileInfo, scope: Scope): Promise<string>
  /** Removes a file, from every document that shows it too. */
  remove(id: string, scope: Scope): Promise<string>
  /** Removes a file unless a document shows it; answers whether it did. */
  removeUnused(id: string, scope: Scope): Promise<boolean>
  close(): void
}

/** Opens the library of a project, on disk or in a bucket as configured. */
export async function createLibrary(options: LibraryOptions): Promise<Library> {
  const { store, layout, reads, config, directory, log } = options
  checkFormatNames(config)
  const { storage, staging } = await openStorage(config, directory)
  await staging.removeStale()
  const pictures = createImageQueue(config.images)
  const workshop: PrepareContext = { storage, pictures }
  const { storeThen, discard } = createFileLifecycle({ store, layout, storage, log })

  const answer = async (transaction: Transaction, documentId: string): Promise<string> => {
    const type = fileType(layout())
    const read = await reads()
      .prepareWriteResult(type, {}, systemScope, 'update')
      .read(transaction, documentId)
    if (!read) throw new Error(`The file ${documentId} was written and is not there`)
    return read.data
  }

  /** The row of a file that the caller may change or delete; whoever may upload may change what is their own. */
  const permitted = async (
    transaction: Transaction,
    id: string,
    scope: Scope,
    action: 'update' | 'delete',
  ) => {
    const file = await findFile(transaction, layout(), id)
    if (!file) throw errors.notFound()
    const author = authorOf(scope.principal)
    if (action === 'update' && author !== null && file.version.createdBy === author) return file
    if (!scope.may(FILE, action)) throw errors.forbidden()
    const allowed = reads().rowRuleCheck(fileType(layout()), scope, action)
    const { documentId } = file
    if (allowed && !(await allowed(transaction, { documentId, locale: '', status: 'published' })))
      throw errors.forbidden()
    return file
  }

  const keysOf = (file: FileDocument) => urlsOf(file).map(keyOfUrl)

  const removeIn = async (transaction: Transaction, id: string, scope: Scope) => {
    const file = await permitted(transaction, id, scope, 'delete')
    const data = await answer(transaction, file.documentId)
    deleteFile(transaction, layout(), file)
    return { removed: keysOf(file), data }
  }

  return {
    config,
    storage,
    staging,

    async create(files, infos, place, scope, stage) {
      if (place) checkMayAttach(place, scope)
      const prepared = await settleAll(
        files.map((file, index) => prepareFile(file, infos[index] ?? {}, stage, workshop)),
      )
      if (place)
        checkFileKinds(
          place,
          prepared.map(({ attributes }) => attributes),
        )
      const ids = prepared.map(() => newDocumentId())
      return storeThen(prepared, async (transaction) => {
        for (const [index, { attributes }] of prepared.entries())
          insertFile(transaction, layout(), ids[index] ?? newDocumentId(), attributes, scope.principal)
        if (place) await attachFiles(transaction, layout(), reads(), place, ids, scope)
        return inOrder(ids, (id) => answer(transaction, id))
      })
    },

    async replace(id, file, info, scope, stage) {
      // Looked for first, so that nothing is worked on for a file that is not there.
      await store.write((transaction) => permitted(transaction, id, scope, 'update'))
      const prepared = await prepareFile(file, info, stage, workshop)
      const { replaced, data } = await storeThen([prepared], async (transaction) => {
        const current = await permitted(transaction, id, scope, 'update')
        // The record keeps the extension it was made with, and its texts unless others are given.
        const { ext, alternativeText, caption, focalPoint, folderPath, formats, ...bytes } =
          prepared.attributes
        await checkUsages(transaction, layout(), current.documentId, bytes)
        const changes = { ...bytes, formats: formats ?? {}, ...attributesOf(info) }
        updateFile(transaction, layout(), current, changes, scope.principal)
        return { replaced: keysOf(current), data: await answer(transaction, current.documentId) }
      })
      await discard(replaced)
      return data
    },

    async describe(id, info, scope) {
      return store.write(async (transaction) => {
        const current = await permitted(transaction, id, scope, 'update')
        const changes = { ...attributesOf(info), ...(info.name === undefined ? {} : { name: info.name }) }
        updateFile(transaction, layout(), current, changes, scope.principal)
        return answer(transaction, current.documentId)
      })
    },

    async remove(id, scope) {
      const { removed, data } = await store.write((transaction) => removeIn(transaction, id, scope))
      await discard(removed)
      return data
    },

    async removeUnused(id, scope) {
      const result = await store.write(async (transaction) =>
        (await isUsed(transaction, layout(), id)) ? null : removeIn(transaction, id, scope),
      )
      await discard(result?.removed ?? [])
      return result !== null
    },

    close() {
      pictures.close()
      storage.close()
    },
  }
}

/** Names of formats become part of names in storage. */
function checkFormatNames({ images }: UploadConfig): void {
  const wrong = Object.keys(images.formats).find((name) => !/^[a-z0-9][a-z0-9_-]{0,29}$/i.test(name))
  if (wrong !== undefined)
    throw new StartError(
      `upload.images.formats: "${wrong}" is no name for a format; use letters, digits, _ and -`,
    )
}

/** What an info says besides the name; folders are kept as paths. */
function attributesOf({ alternativeText, caption, focalPoint, folder }: FileInfo) {
  return {
    ...(alternativeText === undefined ? {} : { alternativeText }),
    ...(caption === undefined ? {} : { caption }),
    ...(focalPoint === undefined ? {} : { focalPoint }),
    ...(folder === undefined ? {} : { folderPath: folder }),
  }
}

/** The results of all works, or the first error, but only when none is under way any more. */
async function settleAll<Result>(works: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}

async function inOrder<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}
