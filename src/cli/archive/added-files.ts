/** The files that an import adds to the storage before it writes the records of them. */
import { isStorageKey } from '../../media/files/names.ts'
import type { Storage } from '../../media/storage/storage.ts'
import { UnknownOutcome } from '../../store/errors.ts'

/**
 * Runs an import that calls `adding` before it stores a file. If it fails, the files that were not there before are deleted,
 * unless its content may have been written nevertheless, which would then refer to them.
 */
export async function discardingFiles<Result>(
  storage: Storage,
  work: (adding: (key: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  let present: ReadonlySet<string> | null = null
  const added: string[] = []
  const adding = async (key: string) => {
    present ??= await keysIn(storage)
    if (!present.has(key)) added.push(key)
  }
  try {
    return await work(adding)
  } catch (failure) {
    // What cannot be deleted now is found by `octavo media sweep`.
    if (!(failure instanceof UnknownOutcome)) await storage.delete(added).catch(() => {})
    throw failure
  }
}

async function keysIn(storage: Storage): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  for await (const { key } of storage.list()) if (isStorageKey(key)) keys.add(key)
  return keys
}
