/** A received file becomes what is stored of it: its type, its bytes and those of its formats, its attributes. */
import { detectType, readHead } from './files/detect.ts'
import type { FileInfo } from './files/file-info.ts'
import { type FileType, isDecodable, SVG } from './files/file-types.ts'
import { storageName } from './files/names.ts'
import type { FileAttributes, FormatRecord } from './files/records.ts'
import type { ImageQueue } from './images/image-queue.ts'
import type { ProcessedImage } from './images/process-image.ts'
import { type Size, svgSize } from './images/svg.ts'
import type { ReceivedFile } from './receive.ts'
import type { Stage } from './storage/staging.ts'
import type { Storage } from './storage/storage.ts'

/** A file that is ready to be stored. */
export interface PreparedFile {
  readonly attributes: FileAttributes
  /** What is to be stored, and under which names. */
  readonly contents: readonly { readonly key: string; readonly path: string }[]
}

export interface PrepareContext {
  readonly storage: Pick<Storage, 'name' | 'urlOf'>
  readonly pictures: ImageQueue
}

/** Looks at a received file and makes everything that is stored of it. Refuses what must not be stored. */
export async function prepareFile(
  received: ReceivedFile,
  info: FileInfo,
  stage: Stage,
  { storage, pictures }: PrepareContext,
): Promise<PreparedFile> {
  const type = await detectType(received.path, received.name)
  const name = info.name ?? received.name
  const picture = isDecodable(type.mime) ? await pictures.process(received, type, name, stage) : null
  const size = picture ?? (type === SVG ? await sizeOfSvg(received.path) : null)
  const hash = storageName(received.name)
  const stored = picture?.stored ?? received
  const formats = (picture?.formats ?? []).map((format) => ({ ...format, hash: `${format.format}_${hash}` }))
  return {
    attributes: {
      name,
      alternativeText: info.alternativeText ?? null,
      caption: info.caption ?? null,
      focalPoint: info.focalPoint ?? null,
      width: size?.width ?? null,
      height: size?.height ?? null,
      formats: formats.length === 0 ? null : formatRecords(formats, name, storage),
      hash,
      ext: type.ext,
      mime: type.mime,
      size: kilobytes(stored.size),
      url: storage.urlOf(hash + type.ext),
      provider: storage.name,
      provider_metadata: placeholderOf(picture),
      folderPath: info.folder ?? '/',
    },
    contents: [
      { key: hash + type.ext, path: stored.path },
      ...formats.map(({ hash, ext, path }) => ({ key: hash + ext, path })),
    ],
  }
}

const placeholderOf = (picture: ProcessedImage | null) =>
  picture?.placeholder ? { placeholder: picture.placeholder } : null

const kilobytes = (bytes: number) => Math.round(bytes / 10) / 100

/** The opening tag of a drawing stands in its first lines. */
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
