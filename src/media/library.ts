/**
 * The library of files: what uploads become. A record is written only when its bytes are stored, and bytes are
 * removed only when no record leads to them any more.
 */
import type { Readable } from 'node:stream'
import type { ChangeSink } from '../documents/changes/change-record.ts'
import { newDocumentId } from '../documents/document-id.ts'
import { errors } from '../errors.ts'
import { FILE } from '../model/model.ts'
import type { UploadConfig } from '../project/config/config.ts'
import type { Reads } from '../reads/reads.ts'
import { StartError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'
import { type AttachTarget, attachFiles, checkFileKinds, checkMayAttach } from './attach.ts'
import { createCrop, originalKeyOf } from './crop-file.ts'
import { checkUsages } from './files/check-usage.ts'
import { createFileChanges } from './files/file-changes.ts'
import { attributesOf, type FileInfo } from './files/file-info.ts'
import { createFileLifecycle } from './files/file-lifecycle.ts'
import { checkFields, type FileWriter } from './files/permissions.ts'
import { insertFile, isUsed, keysOf, lockFiles } from './files/records.ts'
import { addFolder, createFolderTable } from './folders/folder-rows.ts'
import { createImageQueue } from './images/image-queue.ts'
import { type PrepareContext, prepareFile } from './prepare.ts'
import type { ReceivedFile } from './receive.ts'
import { notRead } from './storage/disk-failures.ts'
import { openStorage } from './storage/providers.ts'
import type { Stage, Staging } from './storage/staging.ts'
import type { Storage } from './storage/storage.ts'

export interface LibraryOptions {
  readonly store: Store
  readonly layout: () => Layout
  readonly reads: () => Reads
  readonly config: UploadConfig
  /** The project folder. */
  readonly directory: string
  readonly log: { warn(message: string): void }
  /** Receive the records of every change. */
  readonly sinks?: readonly ChangeSink[]
}

/** Results are file records as JSON text. */
export interface Library {
  readonly config: UploadConfig
  readonly storage: Storage
  readonly staging: Staging
  /** Stores files and writes their records, attached to a document if a target is given: all or none. */
  create(
    files: readonly ReceivedFile[],
    infos: readonly FileInfo[],
    target: AttachTarget | null,
    by: FileWriter,
    stage: Stage,
  ): Promise<string[]>
  /** Replaces the bytes of a file; it keeps its id, its attachments, and former urls of this server. */
  replace(id: string, file: ReceivedFile, info: FileInfo, by: FileWriter, stage: Stage): Promise<string>
  /** Changes the name, texts or folder of a file, or the part of its image that is shown. */
  describe(id: string, info: FileInfo, by: FileWriter, stage: Stage): Promise<string>
  /** The image before it was cropped, or the contents, for those who may change the file. */
  readOriginal(id: string, by: FileWriter): Promise<{ readonly key: string; readonly contents: Readable }>
  /** Moves files to a folder: all or none. */
  move(ids: readonly string[], folder: string, by: FileWriter): Promise<string[]>
  /** Deletes files and detaches them from every document: all or none. */
  removeAll(ids: readonly string[], by: FileWriter): Promise<string[]>
  /** Also detaches the file from every document. */
  remove(id: string, by: FileWriter): Promise<string>
  /** Deletes a file unless it is attached to a document; returns whether it did. */
  removeUnused(id: string, by: FileWriter): Promise<boolean>
  close(): void
}

export async function createLibrary(options: LibraryOptions): Promise<Library> {
  const { store, layout, reads, config, directory, log, sinks = [] } = options
  checkFormatNames(config)
  const { storage, staging } = await openStorage(config, directory)
  await staging.removeStale()
  await createFolderTable(store, layout())
  const images = createImageQueue(config.images)
  const context: PrepareContext = { storage, images }
  const { storeThen, deleteAfter } = createFileLifecycle({ store, layout, storage, log })

  const { recorderFor, readBack, checkRule, fileToChange, applyChanges, removeIn } = createFileChanges({
    ...{ layout, reads, sinks },
  })
  const cropFile = createCrop({ store, storage, images, storeThen, deleteAfter, fileToChange, applyChanges })

  const removeAll: Library['removeAll'] = async (ids, by) => {
    const { deleteBytes, data } = await store.write(async (transaction) => {
      await lockFiles(transaction, layout(), ids)
      const removals = await inOrder(ids, (id) => removeIn(transaction, id, by))
      const keys = removals.flatMap(({ removed }) => removed)
      return { deleteBytes: deleteAfter(transaction, keys), data: removals.map(({ data }) => data) }
    })
    await deleteBytes()
    return data
  }

  return {
    config,
    storage,
    staging,

    async create(files, infos, target, by, stage) {
      const { scope } = by
      if (target) checkMayAttach(target, scope)
      const { fields } = scope.rule(FILE, 'create') ?? {}
      for (const info of infos) checkFields(fields, 'create', { info, replacesContents: false })
      const prepared = await settleAll(
        files.map((file, index) => prepareFile(file, infos[index] ?? {}, stage, context)),
      )
      if (target)
        checkFileKinds(
          target,
          prepared.map(({ attributes }) => attributes),
        )
      const ids = prepared.map(() => newDocumentId())
      return storeThen(prepared, async (transaction) => {
        const changes = recorderFor(by)
        for (const [index, { attributes }] of prepared.entries()) {
          const id = ids[index] ?? newDocumentId()
          addFolder(transaction, attributes.folderPath, scope.principal)
          insertFile(transaction, layout(), id, attributes, scope.principal, changes)
        }
        for (const id of ids) await checkRule(transaction, id, scope, 'create')
        if (target) await attachFiles(transaction, layout(), reads(), target, ids, scope, changes)
        await changes?.write(transaction)
        return inOrder(ids, (id) => readBack(transaction, id, scope))
      })
    },

    async replace(id, file, info, by, stage) {
      const { scope } = by
      // Checked before the image is processed, because that takes long.
      const change = { info, replacesContents: true }
      if (info.crop !== undefined) throw errors.invalid('fileInfo.crop cannot be sent with new contents')
      const { version } = await store.write((transaction) => fileToChange(transaction, id, scope, change))
      const prepared = await prepareFile(file, info, stage, context, String(version.values.get('hash')))
      const { deleteReplaced, data } = await storeThen([prepared], async (transaction) => {
        const current = await fileToChange(transaction, id, scope, change)
        // The record keeps its extension, and its texts unless new ones are given.
        const { ext, alternativeText, caption, focalPoint, folderPath, formats, ...bytes } =
          prepared.attributes
        await checkUsages(transaction, layout(), current.documentId, bytes)
        const changes = { ...bytes, formats: formats ?? {}, ...attributesOf(info) }
        const data = await applyChanges(transaction, current, changes, by)
        return { deleteReplaced: deleteAfter(transaction, keysOf(current)), data }
      })
      await deleteReplaced()
      return data
    },

    async describe(id, info, by, stage) {
      if (info.crop !== undefined) return cropFile(id, info, info.crop, by, stage)
      return store.write(async (transaction) => {
        const current = await fileToChange(transaction, id, by.scope, { info, replacesContents: false })
        const changes = { ...attributesOf(info), ...(info.name === undefined ? {} : { name: info.name }) }
        return applyChanges(transaction, current, changes, by)
      })
    },

    async readOriginal(id, { scope }) {
      const file = await store.write((transaction) =>
        fileToChange(transaction, id, scope, { info: {}, replacesContents: false }),
      )
      const key = originalKeyOf(file)
      const contents = await storage.read(key).catch((error: unknown) => {
        throw notRead(error)
      })
      return { key, contents }
    },

    move(ids, folder, by) {
      const info = { folder }
      return store.write(async (transaction) => {
        await lockFiles(transaction, layout(), ids)
        return inOrder(ids, async (id) => {
          const file = await fileToChange(transaction, id, by.scope, { info, replacesContents: false })
          return applyChanges(transaction, file, attributesOf(info), by)
        })
      })
    },

    removeAll,

    async remove(id, by) {
      const [data = ''] = await removeAll([id], by)
      return data
    },

    async removeUnused(id, by) {
      const deleteBytes = await store.write(async (transaction) => {
        if (await isUsed(transaction, layout(), id)) return null
        const { removed } = await removeIn(transaction, id, by)
        return deleteAfter(transaction, removed)
      })
      await deleteBytes?.()
      return deleteBytes !== null
    },

    close() {
      images.close()
      storage.close()
    },
  }
}

/** Names of formats become part of storage keys. */
function checkFormatNames({ images }: UploadConfig): void {
  const wrong = Object.keys(images.formats).find((name) => !/^[a-z0-9][a-z0-9_-]{0,29}$/i.test(name))
  if (wrong !== undefined)
    throw new StartError(`upload.images.formats: invalid name "${wrong}"; use letters, digits, _ and -`)
}

/** Like Promise.all, but rejects only when all have settled. */
async function settleAll<Result>(promises: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

async function inOrder<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}
