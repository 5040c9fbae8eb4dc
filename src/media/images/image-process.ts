/**
 * The process that works on pictures. Decoders are large and meet hostile files: here a crash costs one upload and
 * the memory they take is given back when the process ends.
 */
import { ApiError, messageOf } from '../../errors.ts'
import type { UploadConfig } from '../../project/config/config.ts'
import type { FileType } from '../files/file-types.ts'
import type { StagedFile } from '../storage/staging.ts'
import { type ProcessedImage, processImage } from './process-image.ts'

export interface ImageJob {
  readonly number: number
  readonly received: StagedFile
  readonly type: FileType
  readonly name: string
  readonly config: UploadConfig['images']
  /** Where the results go; more than can be needed. */
  readonly paths: readonly string[]
}

export type ImageResult = { readonly number: number } & (
  | { readonly picture: ProcessedImage }
  | { readonly refusal: string }
  | { readonly failure: string }
)

async function work({ number, received, type, name, config, paths }: ImageJob): Promise<ImageResult> {
  const free = [...paths]
  const reserve = () => {
    const path = free.shift()
    if (path === undefined) throw new Error('There are not enough paths for the results')
    return path
  }
  try {
    return { number, picture: await processImage(received, type, name, config, reserve) }
  } catch (error) {
    if (error instanceof ApiError) return { number, refusal: error.message }
    return { number, failure: messageOf(error) }
  }
}

process.on('message', (job: ImageJob) => {
  void work(job).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())
