/** The uploads of a screen. They continue while the screen is open. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { uploadFile } from '../../api/media.ts'
import { messageOf } from '../../api/request.ts'
import type { MediaFile } from '../../api/types.ts'
import { useMe } from '../../shell/me.tsx'
import { mediaTexts } from '../../texts/media.ts'
import { formatSize } from '../files/file-thumbnail.tsx'
import { createUploadQueue, isRunning, type Upload, type UploadQueue } from './upload-queue.ts'

/** Files that are larger than the server accepts are not sent at all. */
export function useUploads(onUploaded: (file: MediaFile) => void): UploadQueue {
  const { maxFileSize } = useMe().settings
  const latest = useRef(onUploaded)
  latest.current = onUploaded
  const [queue] = useState(() =>
    createUploadQueue({
      send: uploadFile,
      messageOf,
      onUploaded: (file) => latest.current(file),
      refusalOf: ({ size }) =>
        size > maxFileSize ? mediaTexts.tooLarge(formatSize(maxFileSize / 1000)) : null,
    }),
  )
  const uploads = useUploadList(queue)
  const isBusy = uploads.some(isRunning)
  useEffect(() => {
    if (!isBusy) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isBusy])
  return queue
}

export const useUploadList = (queue: UploadQueue): readonly Upload[] =>
  useSyncExternalStore(queue.subscribe, () => queue.uploads)
