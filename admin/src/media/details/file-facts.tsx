/** What a file is: its type, size, date, folder and address. */
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCopy, IconExternalLink } from '@tabler/icons-react'
import { urlOf } from '../../api/media.ts'
import type { MediaFile } from '../../api/types.ts'
import { formatInstant } from '../../content/dates.ts'
import { copyText } from '../../parts/copy.ts'
import { mediaTexts } from '../../texts/media.ts'
import { formatSize } from '../files/file-thumbnail.tsx'
import styles from './details.module.css'

interface FileFactsProps {
  readonly file: MediaFile
  readonly onOpenFolder: (path: string) => void
}

export function FileFacts({ file, onOpenFolder }: FileFactsProps) {
  const media = mediaTexts
  const { folder, crop } = file.__meta ?? { crop: null }
  const copy = async () => {
    if (await copyText(urlOf(file.url))) notifications.show({ message: media.copied })
  }
  return (
    <section className={styles.section}>
      <dl className={styles.facts}>
        <dt>{media.type}</dt>
        <dd>{file.mime}</dd>
        {file.width !== null && file.height !== null && (
          <>
            <dt>{media.dimensions}</dt>
            <dd>
              {file.width} × {file.height}
              {crop && ` · ${media.cropped}`}
            </dd>
          </>
        )}
        <dt>{media.size}</dt>
        <dd>{formatSize(file.size)}</dd>
        {file.createdAt && (
          <>
            <dt>{media.uploaded}</dt>
            <dd>{formatInstant(file.createdAt)}</dd>
          </>
        )}
        {folder !== undefined && (
          <>
            <dt>{media.folder}</dt>
            <dd>
              <button type="button" className={styles.link} onClick={() => onOpenFolder(folder)}>
                {folder === '/' ? media.root : folder}
              </button>
            </dd>
          </>
        )}
      </dl>
      <div className={styles.buttons}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCopy size={14} stroke={1.5} />}
          onClick={() => void copy()}
        >
          {media.copyUrl}
        </Button>
        <Button
          size="xs"
          variant="default"
          component="a"
          href={urlOf(file.url)}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconExternalLink size={14} stroke={1.5} />}
        >
          {media.download}
        </Button>
      </div>
    </section>
  )
}
