/** A document over the form of another: created or edited without leaving it. */
import { Drawer } from '@mantine/core'
import { useState } from 'react'
import type { ContentDocument, ContentTypeView } from '../../api/types.ts'
import { texts } from '../../texts.ts'
import { NEW_DOCUMENT, OpenDocument } from './edit-screen.tsx'

interface DocumentDrawerProps {
  readonly type: ContentTypeView
  /** Null to create one. */
  readonly documentId: string | null
  readonly locale: string | undefined
  /** Called with each saved state. */
  readonly onSaved: (document: ContentDocument) => void
  readonly onClose: () => void
}

export default function DocumentDrawer({ type, documentId, locale, onSaved, onClose }: DocumentDrawerProps) {
  const [id, setId] = useState(documentId)
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={760}
      title={texts.edit.inDrawer(type.displayName)}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <OpenDocument
        type={type}
        documentId={id ?? NEW_DOCUMENT}
        wantedLocale={locale}
        onSaved={(document) => {
          onSaved(document)
          setId(document.documentId)
        }}
      />
    </Drawer>
  )
}
