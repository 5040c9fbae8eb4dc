/** The page of the site that shows the document, reloaded whenever the document is saved. */
import { ActionIcon } from '@mantine/core'
import { IconReload } from '@tabler/icons-react'
import { useState } from 'react'
import type { ContentDocument, ContentTypeView } from '../../api/types.ts'
import { texts } from '../../texts.ts'
import { titleOf } from '../title.ts'
import styles from './document-editor.module.css'

interface PreviewFrameProps {
  readonly url: string
  readonly type: ContentTypeView
  readonly document: ContentDocument
  readonly locale: string | undefined
}

export function PreviewFrame({ url, type, document, locale }: PreviewFrameProps) {
  const [reloads, setReloads] = useState(0)
  const status = type.draftAndPublish ? 'draft' : 'published'
  const address = previewAddress(url, { ...document, locale, status })
  return (
    <div className={styles.preview}>
      <div className={styles.previewBar}>
        <span>{address}</span>
        <ActionIcon onClick={() => setReloads((count) => count + 1)} aria-label={texts.edit.reload}>
          <IconReload size={16} stroke={1.5} />
        </ActionIcon>
      </div>
      <iframe
        key={`${document.updatedAt} ${reloads}`}
        src={address}
        title={texts.edit.previewOf(titleOf(type, document))}
        sandbox="allow-scripts allow-same-origin allow-forms"
      />
    </div>
  )
}

/** Replaces `{documentId}`, `{locale}`, `{status}` and `{attribute}` in the URL of a preview. */
const previewAddress = (url: string, values: Readonly<Record<string, unknown>>) =>
  url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')))
