/** Processes an image: reads its size, rotates it upright, strips metadata, optimizes it, and derives its formats. */
import { stat } from 'node:fs/promises'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { ApiError, errors } from '../../errors.ts'
import type { UploadConfig } from '../../project/config/config.ts'
import { type DecodableMime, type FileType, isDecodable } from '../files/file-types.ts'
import { isDiskFull } from '../storage/disk-failures.ts'
import type { StagedFile } from '../storage/staging.ts'
import { areaOf, type Crop } from './crop.ts'
import type { Size } from './svg.ts'

type ImageConfig = UploadConfig['images']

export interface DerivedFormat extends StagedFile, Size, FileType {
  /** `thumbnail`, `small`, … */
  readonly format: string
}

interface Job {
  readonly received: StagedFile
  readonly type: FileType
  readonly metadata: Metadata
  readonly config: ImageConfig
  /** Returns the path of a new temporary file. */
  readonly reserve: () => string
}

export interface ProcessedImage extends Size {
  /** The file to store: the received one, or one derived from it. */
  readonly stored: StagedFile
  readonly formats: readonly DerivedFormat[]
  /** A tiny preview as a data url, if configured. */
  readonly placeholder: string | null
}

type Encoder = (image: Sharp, quality: number) => Sharp

const jpeg: Encoder = (image, quality) => image.jpeg({ quality, progressive: true })
/** Streams: the better compression of `jpeg` needs the whole image in memory. */
const largeJpeg: Encoder = (image, quality) => image.jpeg({ quality, optimiseCoding: false })
const png: Encoder = (image) => image.png()
const gif: Encoder = (image) => image.gif()
const webp: Encoder = (image, quality) => image.webp({ quality })
const avif: Encoder = (image, quality) => image.avif({ quality })
const tiff: Encoder = (image, quality) => image.tiff({ quality })

const PNG: FileType = { mime: 'image/png', ext: '.png' }
const JPEG: FileType = { mime: 'image/jpeg', ext: '.jpg' }

/** Encoders for the image itself and for its formats, and the type of the formats. */
const ENCODERS: Readonly<Record<DecodableMime, { own: Encoder; format: Encoder; type: FileType }>> = {
  'image/apng': { own: png, format: png, type: PNG },
  'image/avif': { own: avif, format: avif, type: { mime: 'image/avif', ext: '.avif' } },
  'image/gif': { own: gif, format: gif, type: { mime: 'image/gif', ext: '.gif' } },
  'image/jpeg': { own: jpeg, format: jpeg, type: JPEG },
  'image/png': { own: png, format: png, type: PNG },
  // Most browsers do not display TIFF.
  'image/tiff': { own: tiff, format: jpeg, type: JPEG },
  'image/webp': { own: webp, format: webp, type: { mime: 'image/webp', ext: '.webp' } },
}

/**
 * Images up to this size may be held in memory to optimize them: PNG to try a palette (larger ones are usually
 * photographs), JPEG for the best compression.
 */
const SMALL_PIXELS = 2_000_000

const isSmall = ({ width, height }: Size) => width * height <= SMALL_PIXELS

// One thread per image and no cache: concurrency comes from processing several images.
sharp.concurrency(1)
sharp.cache(false)

function encodersOf({ mime }: FileType) {
  if (!isDecodable(mime)) throw new Error(`No decoder for ${mime}`)
  return ENCODERS[mime]
}

/** How an image that is stored already is processed again. */
export interface ImageEdit {
  /** The part to keep; null keeps the whole image, byte by byte. */
  readonly crop: Crop | null
}

export async function processImage(
  received: StagedFile,
  type: FileType,
  name: string,
  config: ImageConfig,
  reserve: () => string,
  edit: ImageEdit | null = null,
): Promise<ProcessedImage> {
  try {
    const whole = await metadataOf(received)
    if (whole.width * whole.height > config.maxPixels) {
      const size = `${whole.width} × ${whole.height}`
      throw errors.invalid(`${name} has ${size} pixels; the maximum is ${config.maxPixels}`)
    }
    if (edit?.crop && (whole.pages ?? 1) > 1)
      throw errors.invalid(`${name} is animated and cannot be cropped`)
    const original: Job = { received, type, metadata: whole, config, reserve }
    const job = edit?.crop ? await cropped(original, edit.crop) : original
    const { metadata } = job
    const stored = edit ? job.received : await fileToStore(job)
    const formats = await deriveFormats(job)
    // Without formats it is computed in any case: decoding proves that the image is complete.
    const preview = config.placeholder || formats.length === 0 ? await tinyPreview(job) : null
    const { width, height } = config.autoOrient ? metadata.autoOrient : metadata
    return { width, height, stored, formats, placeholder: config.placeholder ? preview : null }
  } catch (error) {
    // Errors thrown above and system errors are not caused by the image data.
    if (error instanceof ApiError || isDiskFull(error) || (error instanceof Error && 'code' in error))
      throw error
    throw errors.invalid(`${name} is not a readable image`)
  }
}

const metadataOf = ({ path }: StagedFile) => sharp(path, { limitInputPixels: false }).metadata()

/** The same job for a part of the image, which is upright. */
async function cropped(job: Job, crop: Crop): Promise<Job> {
  const { received, type, metadata, config, reserve } = job
  const path = reserve()
  let image = open(received.path, config).autoOrient().extract(areaOf(crop, metadata.autoOrient))
  if (metadata.depth === 'ushort') image = image.toColourspace('rgb16')
  const quality = config.optimize && type.mime === 'image/jpeg' ? config.quality : 95
  const { size } = await encodersOf(type).own(withKeptMetadata(image, config), quality).toFile(path)
  const part = { path, size }
  return { ...job, received: part, metadata: await metadataOf(part) }
}

const open = (path: string, config: ImageConfig) =>
  sharp(path, { limitInputPixels: config.maxPixels, failOn: 'error' })

const fitInto = ({ width, height }: Size, [boxWidth, boxHeight]: readonly [number, number]): Size => {
  const scale = Math.min(boxWidth / width, boxHeight / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Formats smaller than the image. It is decoded once, to the largest format; the others are derived from that. */
async function deriveFormats({ received, type, metadata, config, reserve }: Job): Promise<DerivedFormat[]> {
  const size = metadata.autoOrient
  const needed = Object.entries(config.formats)
    .filter(([, [width, height]]) => size.width > width || size.height > height)
    .map(([format, box]) => ({ format, ...fitInto(size, box) }))
  const largest = needed.toSorted((a, b) => b.width - a.width)[0]
  if (!largest) return []
  const as = encodersOf(type)
  const base = await open(received.path, config)
    .autoOrient()
    .resize({ width: largest.width, height: largest.height, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const formats: DerivedFormat[] = []
  for (const { format, width, height } of needed) {
    const path = reserve()
    const { width: w, height: h, channels } = base.info
    const image = sharp(base.data, { raw: { width: w, height: h, channels } })
    const made = await as.format(image.resize({ width, height, fit: 'fill' }), config.quality).toFile(path)
    formats.push({ format, path, size: made.size, width, height, ...as.type })
  }
  return formats
}

async function tinyPreview({ received, config }: Job): Promise<string> {
  const small = open(received.path, config).autoOrient().resize({ width: 16, height: 16, fit: 'inside' })
  return `data:image/webp;base64,${(await small.webp({ quality: 20 }).toBuffer()).toString('base64')}`
}

/** Rotated and stripped if configured, and optimized if that makes it smaller. */
async function fileToStore(job: Job): Promise<StagedFile> {
  const { received, type, metadata, config } = job
  const isRotated = config.autoOrient && (metadata.orientation ?? 1) > 1
  const hasMetadata = config.stripMetadata && Boolean(metadata.exif || metadata.iptc || metadata.xmp)
  const mustRewrite = (isRotated || hasMetadata) && type.mime !== 'image/apng'
  if (mustRewrite) return rewrite(job)
  if (!config.optimize) return received
  const smaller =
    type.mime === 'image/jpeg'
      ? await rewrite(job)
      : type.mime === 'image/png' && isSmall(metadata)
        ? await rewriteWithPalette(job)
        : null
  return smaller && smaller.size < received.size ? smaller : received
}

/** The colour profile is always kept. */
const withKeptMetadata = (image: Sharp, config: ImageConfig) =>
  config.stripMetadata ? image.keepIccProfile() : image.keepMetadata()

async function rewrite({ received, type, metadata, config, reserve }: Job): Promise<StagedFile> {
  const path = reserve()
  let image = sharp(received.path, {
    animated: (metadata.pages ?? 1) > 1,
    limitInputPixels: config.maxPixels,
    failOn: 'error',
  })
  if (config.autoOrient) image = image.autoOrient()
  if (metadata.depth === 'ushort') image = image.toColourspace('rgb16')
  image = withKeptMetadata(image, config)
  // When an image is rewritten only to rotate or strip it, it keeps a high quality.
  const quality = config.optimize && type.mime === 'image/jpeg' ? config.quality : 95
  const encode = type.mime === 'image/jpeg' && !isSmall(metadata) ? largeJpeg : encodersOf(type).own
  const { size } = await encode(image, quality).toFile(path)
  return { path, size }
}

/** Null when a palette would change any pixel. */
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
