/** The storage that a configuration asks for, with the place on disk where files wait to be put into it. */
import { resolve } from 'node:path'
import type { UploadConfig } from '../../project/config/config.ts'
import { createDiskStorage } from './disk.ts'
import { createS3Storage } from './s3.ts'
import { createStaging, type Staging } from './staging.ts'
import type { Storage } from './storage.ts'

/** Opens storage in the folder, or in the bucket when one is configured. */
export async function openStorage(
  { s3 }: Pick<UploadConfig, 's3'>,
  folder: string,
): Promise<{ readonly storage: Storage; readonly staging: Staging }> {
  return {
    storage: s3 ? await createS3Storage(s3) : createDiskStorage(folder),
    staging: createStaging(resolve(folder, '.incoming')),
  }
}
