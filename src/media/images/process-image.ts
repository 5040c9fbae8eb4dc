/** Works on pictures: reads their size, stores them upright, small and without metadata, derives their formats. */
import { stat } from 'node:fs/promises'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { ApiError, errors } from '../../errors.ts'
import type { UploadConfig } from '../../project/config/config.ts'
import { type DecodableMime, type FileType, isDecodable } from '../files/file-types.ts'
import type { StagedFile } from '../storage/staging.ts'
import type { Size } from './svg.ts'

type ImageConfig = UploadConfig['images']

export interface DerivedFormat extends StagedFile, Size, FileType {
  /** `thumbnail`, `small`, … */
  readonly format: string
}

/** A received picture on its way to storage. */
interface Job {
  readonly received: StagedFile
  readonly type: FileType
  readonly metadata: Metadata
  readonly config: ImageConfig
  /** Gives the path of a new temporary file. */
  readonly reserve: () => string
}

export interface ProcessedImage extends Size {
  /** What is to be stored: the received file, or a better one made from it. */
  readonly stored: StagedFile
  readonly formats: readonly DerivedFormat[]
  /** A tiny preview as a data address, when asked for. */
  readonly placeholder: string | null
}

type Encoder = (picture: Sharp, quality: number) => Sharp

const jpeg: Encoder = (picture, quality) => picture.jpeg({ quality, progressive: true })
/** Writes as it reads: the better compression of `jpeg` needs the whole picture in memory. */
const largeJpeg: Encoder = (picture, quality) => picture.jpeg({ quality, optimiseCoding: false })
const png: Encoder = (picture) => picture.png()
const gif: Encoder = (picture) => picture.gif()
const webp: Encoder = (picture, quality) => picture.webp({ quality })
const avif: Encoder = (picture, quality) => picture.avif({ quality })
const tiff: Encoder = (picture, quality) => picture.tiff({ quality })

const PNG: FileType = { mime: 'image/png', ext: '.png' }
const JPEG: FileType = { mime: 'image/jpeg', ext: '.jpg' }

/** Pictures that can be decoded here: how they are written again, and as what their formats are. */
const ENCODERS: Readonly<Record<DecodableMime, { own: Encoder; format: Encoder; type: FileType }>> = {
  'image/apng': { own: png, format: png, type: PNG },
  'image/avif': { own: avif, format: avif, type: { mime: 'image/avif', ext: '.avif' } },
  'image/gif': { own: gif, format: gif, type: { mime: 'image/gif', ext: '.gif' } },
  'image/jpeg': { own: jpeg, format: jpeg, type: JPEG },
  'image/png': { own: png, format: png, type: PNG },
  // No browser shows TIFF.
  'image/tiff': { own: tiff, format: jpeg, type: JPEG },
  'image/webp': { own: webp, format: webp, type: { mime: 'image/webp', ext: '.webp' } },
}

/**
 * Up to here a picture may be held in memory as a whole to make it smaller: a PNG to try it with a palette (larger ones
 * are photographs more often than drawings), a JPEG to compress it best.
 */
const SMALL_PIXELS = 2_000_000

const isSmall = ({ width, height }: Size) => width * height <= SMALL_PIXELS

// Each picture is worked on by one thread and nothing is kept afterwards: several pictures are several threads.
sharp.concurrency(1)
sharp.cache(false)

function encodersOf({ mime }: FileType) {
  if (!isDecodable(mime)) throw new Error(`No decoder for ${mime}`)
  return ENCODERS[mime]
}

/** Reads a picture and makes what is stored of it. Refuses what is not a readable picture or is too large. */
export async function processImage(
  received: StagedFile,
  type: FileType,
  name: string,
  config: ImageConfig,
  reserve: () => string,
): Promise<ProcessedImage> {
  try {
    const metadata = await sharp(received.path, { limitInputPixels: false }).metadata()
    if (metadata.width * metadata.height > config.maxPixels) {
      const size = `${metadata.width} × ${metadata.height}`
      throw errors.invalid(`${name} has ${size} pixels; at most ${config.maxPixels} are allowed`)
    }
    const job = { received, type, metadata, config, reserve }
    const stored = await fileToStore(job)
    const formats = await deriveFormats(job)
    // Made even when it is not asked for and no format was: decoding shows that the picture is whole.
    const preview = config.placeholder || formats.length === 0 ? await tinyPreview(job) : null
    const { width, height } = config.autoOrient ? metadata.autoOrient : metadata
    return { width, height, stored, formats, placeholder: config.placeholder ? preview : null }
  } catch (error) {
    // What is refused above, or a disk that fails, is no fault of the picture.
    if (error instanceof ApiError || (error instanceof Error && 'code' in error)) throw error
    throw errors.invalid(`${name} is not a readable picture`)
  }
}

const open = (path: string, config: ImageConfig) =>
  sharp(path, { limitInputPixels: config.maxPixels, failOn: 'error' })

const fitInto = ({ width, height }: Size, [boxWidth, boxHeight]: readonly [number, number]): Size => {
  const scale = Math.min(boxWidth / width, boxHeight / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The formats smaller than the picture. It is decoded once, to the largest of them; the others come from that. */
async function deriveFormats({ received, type, metadata, config, reserve }: Job): Promise<DerivedFormat[]> {
  const size = metadata.autoOrient
  const wanted = Object.entries(config.formats)
    .filter(([, [width, height]]) => size.width > width || size.height > height)
    .map(([format, box]) => ({ format, ...fitInto(size, box) }))
  const largest = wanted.toSorted((a, b) => b.width - a.width)[0]
  if (!largest) return []
  const as = encodersOf(type)
  const base = await open(received.path, config)
    .autoOrient()
    .resize({ width: largest.width, height: largest.height, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const formats: DerivedFormat[] = []
  for (const { format, width, height } of wanted) {
    const path = reserve()
    const { width: w, height: h, channels } = base.info
    const picture = sharp(base.data, { raw: { width: w, height: h, channels } })
    const made = await as.format(picture.resize({ width, height, fit: 'fill' }), config.quality).toFile(path)
    formats.push({ format, path, size: made.size, width, height, ...as.type })
  }
  return formats
}

async function tinyPreview({ received, config }: Job): Promise<string> {
  const small = open(received.path, config).autoOrient().resize({ width: 16, height: 16, fit: 'inside' })
  return `data:image/webp;base64,${(await small.webp({ quality: 20 }).toBuffer()).toString('base64')}`
}

/** The file to store: turned upright and stripped where configured, and made smaller where that is possible. */
async function fileToStore(job: Job): Promise<StagedFile> {
  const { received, type, metadata, config } = job
  const turned = config.autoOrient && (metadata.orientation ?? 1) > 1
  const talkative = config.stripMetadata && Boolean(metadata.exif || metadata.iptc || metadata.xmp)
  const must = (turned || talkative) && type.mime !== 'image/apng'
  if (must) return rewrite(job)
  if (!config.optimize) return received
  const smaller =
    type.mime === 'image/jpeg'
      ? await rewrite(job)
      : type.mime === 'image/png' && isSmall(metadata)
        ? await rewriteWithPalette(job)
        : null
  return smaller && smaller.size < received.size ? smaller : received
}

/** Colours need their profile; the rest of the metadata is removed where configured. */
const withKeptMetadata = (picture: Sharp, config: ImageConfig) =>
  config.stripMetadata ? picture.keepIccProfile() : picture.keepMetadata()

async function rewrite({ received, type, metadata, config, reserve }: Job): Promise<StagedFile> {
  const path = reserve()
  let picture = sharp(received.path, {
    animated: (metadata.pages ?? 1) > 1,
    limitInputPixels: config.maxPixels,
    failOn: 'error',
  })
  if (config.autoOrient) picture = picture.autoOrient()
  if (metadata.depth === 'ushort') picture = picture.toColourspace('rgb16')
  picture = withKeptMetadata(picture, config)
  // Written again only to be turned or stripped, a picture should not lose more than it must.
  const quality = config.optimize && type.mime === 'image/jpeg' ? config.quality : 95
  const encode = type.mime === 'image/jpeg' && !isSmall(metadata) ? largeJpeg : encodersOf(type).own
  const { size } = await encode(picture, quality).toFile(path)
  return { path, size }
}

/** A PNG of few colours stored with a palette; null when that would change a single pixel. */
async function rewriteWithPalette({ received, metadata, config, reserve }: Job): Promise<StagedFile | null> {
  if (metadata.depth !== 'uchar') return null
  const path = reserve()
  await withKeptMetadata(open(received.path, config), config)
    .png({ palette: true, quality: 100, compressionLevel: 9 })
    .toFile(path)
  const { size } = await stat(path)
  if (size >= received.size) return null
  const pixels = (file: string) => open(file, config).ensureAlpha().raw().toBuffer()
  const same = (await pixels(received.path)).equals(await pixels(path))
  return same ? { path, size } : null
}
