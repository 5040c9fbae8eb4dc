/**
 * The child process that decodes images. Image decoders parse untrusted files: a crash here costs one upload, and their
 * memory is released when the process exits.
 */
import { ApiError, messageOf } from '../../errors.ts'
import type { UploadConfig } from '../../project/config/config.ts'
import type { FileType } from '../files/file-types.ts'
import { isDiskFull } from '../storage/disk-failures.ts'
import type { StagedFile } from '../storage/staging.ts'
import { type ImageEdit, type ProcessedImage, processImage } from './process-image.ts'

export interface ImageJob {
  readonly number: number
  readonly received: StagedFile
  readonly type: FileType
  readonly name: string
  readonly config: UploadConfig['images']
  /** Paths for the results; at least as many as needed. */
  readonly paths: readonly string[]
  readonly edit: ImageEdit | null
}

export type ImageResult = { readonly number: number } & (
  | { readonly image: ProcessedImage }
  | { readonly refusal: string }
  | { readonly failure: string; readonly isDiskFull: boolean }
)

async function work({ number, received, type, name, config, paths, edit }: ImageJob): Promise<ImageResult> {
  const free = [...paths]
  const reserve = () => {
    const path = free.shift()
    if (path === undefined) throw new Error('Not enough paths for the results')
    return path
  }
  try {
    return { number, image: await processImage(received, type, name, config, reserve, edit) }
  } catch (error) {
    if (error instanceof ApiError) return { number, refusal: error.message }
    return { number, failure: messageOf(error), isDiskFull: isDiskFull(error) }
  }
}

process.on('message', (job: ImageJob) => {
  void work(job).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())
