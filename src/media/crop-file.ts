/**
 * Crops images of the library: derives the shown image and its formats anew from the original, which is kept for the next
 * crop, and for undoing it.
 */
import { extname } from 'node:path'
import { errors } from '../errors.ts'
import type { Scope } from '../query/scope.ts'
import type { Store, Transaction } from '../store/store.ts'
import { attributesOf, type FileInfo } from './files/file-info.ts'
import type { FileLifecycle } from './files/file-lifecycle.ts'
import { isDecodable } from './files/file-types.ts'
import { nextStorageName, storageName } from './files/names.ts'
import type { FileChange, FileWriter } from './files/permissions.ts'
import { type FileAttributes, type FileDocument, keysOf } from './files/records.ts'
import { type Crop, type FocalPoint, focalPointAfter } from './images/crop.ts'
import type { ImageQueue } from './images/image-queue.ts'
import { storedContents } from './prepare.ts'
import { notRead } from './storage/disk-failures.ts'
import type { Stage } from './storage/staging.ts'
import { keyOfUrl, type Storage } from './storage/storage.ts'

interface CropContext extends FileLifecycle {
  readonly store: Store
  readonly storage: Storage
  readonly images: ImageQueue
  /** The file, if the caller may make the change. */
  fileToChange(transaction: Transaction, id: string, scope: Scope, change: FileChange): Promise<FileDocument>
  /** Changes the record and returns it. */
  applyChanges(
    transaction: Transaction,
    file: FileDocument,
    values: Partial<FileAttributes>,
    by: FileWriter,
  ): Promise<string>
}

/** Shows a part of an image, or with null the whole of it, and applies the rest of the info. */
export type CropFile = (
  id: string,
  info: FileInfo,
  crop: Crop | null,
  by: FileWriter,
  stage: Stage,
) => Promise<string>

export function createCrop({
  store,
  storage,
  images,
  storeThen,
  deleteAfter,
  fileToChange,
  applyChanges,
}: CropContext): CropFile {
  return async (id, info, crop, by, stage) => {
    const change = { info, replacesContents: true }
    const found = await store.write((transaction) => fileToChange(transaction, id, by.scope, change))
    const type = { mime: text(found, 'mime'), ext: extname(keyOfUrl(text(found, 'url'))) }
    if (!isDecodable(type.mime)) throw errors.invalid(`Images of type ${type.mime} cannot be cropped`)
    const name = info.name ?? text(found, 'name')
    const originalKey = originalKeyOf(found)
    const received = await storage
      .read(originalKey)
      .then((contents) => stage.receive(contents).finally(() => contents.destroy()))
      .catch((error: unknown) => {
        throw notRead(error)
      })
    const image = await images.process(received, type, name, stage, { crop })
    const hash = nextStorageName(text(found, 'hash'))
    const { attributes, contents } = storedContents(
      { hash, type, name, image, received, size: image },
      storage,
    )
    // Whoever knows a URL of the file must not be able to derive that of the original, which shows what was cropped away.
    const keptKey = crop === null ? null : isCropped(found) ? originalKey : storageName(ORIGINAL) + type.ext
    const kept = keptKey === null || keptKey === originalKey ? [] : [{ key: keptKey, path: received.path }]
    const prepared = { attributes, contents: [...contents, ...kept] }
    const { deleteReplaced, data } = await storeThen([prepared], async (transaction) => {
      const current = await fileToChange(transaction, id, by.scope, change)
      if (text(current, 'hash') !== text(found, 'hash'))
        throw errors.application('The contents of the file have changed in the meantime; crop it again')
      const focalPoint = focalPointAfter(json<FocalPoint>(current, 'focalPoint'), json(current, 'crop'), crop)
      const values = { ...attributes, focalPoint, name, ...attributesOf(info), crop, original: keptKey }
      const data = await applyChanges(transaction, current, values, by)
      const replaced = keysOf(current).filter((key) => key !== keptKey)
      return { deleteReplaced: deleteAfter(transaction, replaced), data }
    })
    await deleteReplaced()
    return data
  }
}

/** The readable part of the storage keys of originals. */
const ORIGINAL = 'original'

/** The storage key of the image before it was cropped; of the contents if it was not. */
export const originalKeyOf = (file: FileDocument): string =>
  isCropped(file) ? text(file, 'original') : keyOfUrl(text(file, 'url'))

const isCropped = ({ version }: FileDocument) => Boolean(version.values.get('original'))

const text = ({ version }: FileDocument, name: string) => String(version.values.get(name) ?? '')

/** A value that the library itself has stored. */
const json = <Value>({ version }: FileDocument, name: string): Value | null =>
  JSON.parse(String(version.values.get(name) ?? 'null'))
