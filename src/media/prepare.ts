/** Prepares a received file for storage: detects its type, derives image formats, and builds the record's attributes. */
import { detectType, readHead } from './files/detect.ts'
import type { FileInfo } from './files/file-info.ts'
import { type FileType, isDecodable, SVG } from './files/file-types.ts'
import { nextStorageName, storageName } from './files/names.ts'
import type { FileAttributes, FormatRecord } from './files/records.ts'
import type { ImageQueue } from './images/image-queue.ts'
import type { ProcessedImage } from './images/process-image.ts'
import { type Size, svgSize } from './images/svg.ts'
import type { ReceivedFile } from './receive.ts'
import type { Stage, StagedFile } from './storage/staging.ts'
import type { Storage } from './storage/storage.ts'

export interface PreparedFile {
  readonly attributes: FileAttributes
  /** The files to store: the original and its formats. */
  readonly contents: readonly { readonly key: string; readonly path: string }[]
}

export interface PrepareContext {
  readonly storage: Pick<Storage, 'name' | 'urlOf'>
  readonly images: ImageQueue
}

/** With `replacedHash`, the contents get a storage name that former urls of the file lead to. */
export async function prepareFile(
  received: ReceivedFile,
  info: FileInfo,
  stage: Stage,
  { storage, images }: PrepareContext,
  replacedHash: string | null = null,
): Promise<PreparedFile> {
  const type = await detectType(received.path, received.name)
  const name = info.name ?? received.name
  const image = isDecodable(type.mime) ? await images.process(received, type, name, stage) : null
  const size = image ?? (type === SVG ? await sizeOfSvg(received.path) : null)
  const hash = replacedHash === null ? storageName(received.name) : nextStorageName(replacedHash)
  const { attributes, contents } = storedContents({ hash, type, name, image, received, size }, storage)
  return {
    attributes: {
      name,
      alternativeText: info.alternativeText ?? null,
      caption: info.caption ?? null,
      focalPoint: info.focalPoint ?? null,
      ...attributes,
      ext: type.ext,
      mime: type.mime,
      provider: storage.name,
      folderPath: info.folder ?? '/',
      crop: null,
      original: null,
    },
    contents,
  }
}

interface Contents {
  readonly hash: string
  readonly type: FileType
  readonly name: string
  readonly image: ProcessedImage | null
  readonly received: StagedFile
  readonly size: Size | null
}

/** The attributes that describe the contents of a file, and the files to store. */
export function storedContents(
  { hash, type, name, image, received, size }: Contents,
  storage: Pick<Storage, 'urlOf'>,
) {
  const stored = image?.stored ?? received
  const formats = (image?.formats ?? []).map((format) => ({ ...format, hash: `${format.format}_${hash}` }))
  return {
    attributes: {
      width: size?.width ?? null,
      height: size?.height ?? null,
      formats: formats.length === 0 ? null : formatRecords(formats, name, storage),
      hash,
      size: kilobytes(stored.size),
      url: storage.urlOf(hash + type.ext),
      provider_metadata: placeholderOf(image),
    },
    contents: [
      { key: hash + type.ext, path: stored.path },
      ...formats.map(({ hash, ext, path }) => ({ key: hash + ext, path })),
    ],
  }
}

const placeholderOf = (image: ProcessedImage | null) =>
  image?.placeholder ? { placeholder: image.placeholder } : null

const kilobytes = (bytes: number) => Math.round(bytes / 10) / 100

/** The opening tag is near the start of the file. */
const sizeOfSvg = async (path: string): Promise<Size | null> =>
  svgSize(new TextDecoder().decode(await readHead(path, 65_536)))

function formatRecords(
  formats: readonly (ProcessedImage['formats'][number] & FileType & { readonly hash: string })[],
  name: string,
  storage: Pick<Storage, 'urlOf'>,
): Record<string, FormatRecord> {
  return Object.fromEntries(
    formats.map(({ format, hash, ext, mime, width, height, size }) => [
      format,
      {
        name: `${format}_${name}`,
        hash,
        ext,
        mime,
        path: null,
        width,
        height,
        size: kilobytes(size),
        sizeInBytes: size,
        url: storage.urlOf(hash + ext),
      },
    ]),
  )
}
