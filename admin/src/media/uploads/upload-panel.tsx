/** The progress of uploads: each can be cancelled, and tried again. */
import { ActionIcon, Button, Progress } from '@mantine/core'
import { IconCheck, IconRefresh, IconX } from '@tabler/icons-react'
import { mediaTexts } from '../../texts/media.ts'
import { texts } from '../../texts.ts'
import { canRetry, isRunning, type Upload, type UploadQueue } from './upload-queue.ts'
import styles from './uploads.module.css'
import { useUploadList } from './use-uploads.ts'

interface UploadPanelProps {
  readonly queue: UploadQueue
  /** Whether it is part of a form, where files that are uploaded are shown already. */
  readonly isInline?: boolean
}

export function UploadPanel({ queue, isInline = false }: UploadPanelProps) {
  const uploads = useUploadList(queue)
  const running = uploads.filter(isRunning)
  const isOver = running.length === 0 && uploads.every(({ state }) => state === 'done')
  if (uploads.length === 0 || (isInline && isOver)) return null
  const failed = uploads.filter(({ state }) => state === 'failed')
  const done = uploads.filter(({ state }) => state === 'done').length
  return (
    <section className={styles.panel} data-inline={isInline} aria-label={mediaTexts.uploads}>
      <header className={styles.head}>
        <span role="status">{mediaTexts.uploading(done, uploads.length)}</span>
        {running.length > 0 && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={() => {
              for (const { id } of running.toReversed()) queue.cancel(id)
            }}
          >
            {mediaTexts.cancelAll}
          </Button>
        )}
        {running.length === 0 && failed.length > 1 && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={() => {
              for (const { id } of failed) queue.retry(id)
            }}
          >
            {mediaTexts.retryAll}
          </Button>
        )}
        {running.length === 0 && (
          <ActionIcon size="sm" onClick={queue.clear} aria-label={texts.close}>
            <IconX size={14} stroke={1.5} />
          </ActionIcon>
        )}
      </header>
      <ul className={styles.list}>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
    </section>
  )
}

function UploadRow({ upload, queue }: { readonly upload: Upload; readonly queue: UploadQueue }) {
  const { id, name, state, progress, error } = upload
  return (
    <li className={styles.row} data-state={state}>
      <span className={styles.name}>{name}</span>
      <span className={styles.state}>{error ?? mediaTexts.uploadStates[state]}</span>
      {state === 'done' && <IconCheck size={16} stroke={1.75} className={styles.done} aria-hidden />}
      {isRunning(upload) && (
        <ActionIcon size="sm" onClick={() => queue.cancel(id)} aria-label={mediaTexts.cancelUpload(name)}>
          <IconX size={14} stroke={1.5} />
        </ActionIcon>
      )}
      {canRetry(upload) && (
        <ActionIcon size="sm" onClick={() => queue.retry(id)} aria-label={mediaTexts.retryUpload(name)}>
          <IconRefresh size={14} stroke={1.5} />
        </ActionIcon>
      )}
      {(state === 'uploading' || state === 'processing') && (
        <Progress
          className={styles.progress}
          size={2}
          value={progress * 100}
          animated={state === 'processing'}
          aria-label={name}
        />
      )}
    </li>
  )
}
