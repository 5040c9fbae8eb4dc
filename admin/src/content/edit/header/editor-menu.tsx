/** What is done with a document less often than saving and publishing. */
import { ActionIcon, Menu, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconBraces,
  IconCalendarEvent,
  IconClock,
  IconCopy,
  IconDots,
  IconHistory,
  IconLink,
  IconRestore,
  IconTerminal2,
  IconTrash,
  IconWorldOff,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { duplicateDocument } from '../../../api/content/content.ts'
import { messageOf, rootUrl } from '../../../api/request.ts'
import type { ContentDocument, ContentTypeView } from '../../../api/types.ts'
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx'
import { copyText } from '../../../parts/copy.ts'
import { useMe } from '../../../shell/me.tsx'
import { historyTexts } from '../../../texts/content/history.ts'
import { releaseTexts } from '../../../texts/releases.ts'
import { texts } from '../../../texts.ts'
import { HistoryDrawer } from '../../history/history-drawer.tsx'
import { ScheduleDialog } from '../../schedule/schedule-dialog.tsx'
import styles from '../document-editor.module.css'
import type { Editor } from '../use-editor.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { DuplicateDialog } from './duplicate-dialog.tsx'

const AddToReleaseDialog = lazy(() => import('../../../releases/add-to-release-dialog.tsx'))

const ICON = { size: 16, stroke: 1.5 }

interface EditorMenuProps {
  readonly editor: Editor
  readonly type: ContentTypeView
  readonly locale: string | undefined
  readonly document: ContentDocument
  readonly onDeleted: () => void
}

export function EditorMenu({ editor, type, locale, document, onDeleted }: EditorMenuProps) {
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<
    'json' | 'delete' | 'discard' | 'duplicate' | 'history' | 'schedule' | 'release' | null
  >(null)
  const { features } = useMe()
  const { actions } = type
  const status = document.__meta?.status
  const url = apiUrl(type, document, locale)
  const copy = async (text: string) => {
    if (await copyText(text)) notifications.show({ message: texts.edit.copied, autoClose: 1_500 })
  }
  const isTranslated = Object.keys(document.__meta?.locales ?? {}).length > 1
  const duplicate = async () => {
    setDialog(null)
    try {
      const { documentId } = await duplicateDocument(editor.address)
      notifications.show({ message: texts.edit.duplicated(isTranslated ? locale : undefined) })
      await navigate({
        to: '/content/$type/$documentId',
        params: { type: type.path, documentId },
        search: locale === undefined ? {} : { locale },
      })
    } catch (error) {
      notifications.show({ color: 'red', message: messageOf(error) })
    }
  }
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon size="lg" aria-label={texts.edit.more}>
            <IconDots size={18} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {type.draftAndPublish && actions.unpublish && status !== 'draft' && (
            <Menu.Item
              leftSection={<IconWorldOff {...ICON} />}
              onClick={() => void editor.act('unpublish', texts.edit.unpublished)}
            >
              {texts.edit.unpublish}
            </Menu.Item>
          )}
          {type.draftAndPublish && actions.discard && status === 'modified' && (
            <Menu.Item leftSection={<IconRestore {...ICON} />} onClick={() => setDialog('discard')}>
              {texts.edit.discard}
            </Menu.Item>
          )}
          {actions.readHistory && (
            <Menu.Item leftSection={<IconHistory {...ICON} />} onClick={() => setDialog('history')}>
              {historyTexts.open}
            </Menu.Item>
          )}
          {actions.schedule && (
            <Menu.Item leftSection={<IconClock {...ICON} />} onClick={() => setDialog('schedule')}>
              {texts.schedule.open}
            </Menu.Item>
          )}
          {features.releases && (actions.publish || actions.unpublish) && (
            <Menu.Item leftSection={<IconCalendarEvent {...ICON} />} onClick={() => setDialog('release')}>
              {releaseTexts.addTo}
            </Menu.Item>
          )}
          {type.kind === 'collection' && actions.create && (
            <Menu.Item
              leftSection={<IconCopy {...ICON} />}
              onClick={() => (editor.store.status().isDirty ? setDialog('duplicate') : void duplicate())}
            >
              {texts.edit.duplicate}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<IconLink {...ICON} />} onClick={() => void copy(url)}>
            {texts.edit.copyUrl}
          </Menu.Item>
          <Menu.Item leftSection={<IconTerminal2 {...ICON} />} onClick={() => void copy(`curl '${url}'`)}>
            {texts.edit.copyCurl}
          </Menu.Item>
          <Menu.Item leftSection={<IconBraces {...ICON} />} onClick={() => setDialog('json')}>
            {texts.edit.json}
          </Menu.Item>
          {actions.delete && (
            <>
              <Menu.Divider />
              <Menu.Item
                c="var(--danger)"
                leftSection={<IconTrash {...ICON} />}
                onClick={() => setDialog('delete')}
              >
                {texts.edit.delete}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={dialog === 'json'}
        onClose={() => setDialog(null)}
        title={texts.edit.json}
        size="lg"
        closeButtonProps={{ 'aria-label': texts.close }}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <pre className={styles.json} tabIndex={0}>
          {JSON.stringify({ ...document, __meta: undefined }, null, 2)}
        </pre>
      </Modal>
      <ConfirmDialog
        isOpen={dialog === 'discard'}
        onClose={() => setDialog(null)}
        title={texts.edit.discardTitle}
        confirm={texts.edit.discard}
        isDangerous
        onConfirm={() => editor.act('discard', texts.edit.discarded)}
      >
        {texts.edit.discardText}
      </ConfirmDialog>
      <DuplicateDialog
        isOpen={dialog === 'duplicate'}
        onClose={() => setDialog(null)}
        onSaveFirst={actions.update ? async () => (await editor.save()) && duplicate() : null}
        onDuplicate={duplicate}
      />
      <HistoryDrawer
        isOpen={dialog === 'history'}
        onClose={() => setDialog(null)}
        address={editor.address}
        mayRestore={actions.update}
        onRestored={editor.readAgain}
      />
      <ScheduleDialog
        isOpen={dialog === 'schedule'}
        onClose={() => setDialog(null)}
        address={editor.address}
      />
      {dialog === 'release' && (
        <Suspense>
          <AddToReleaseDialog
            onClose={() => setDialog(null)}
            type={type}
            documentIds={[document.documentId]}
            locale={locale}
          />
        </Suspense>
      )}
      <DeleteDialog
        isOpen={dialog === 'delete'}
        onClose={() => setDialog(null)}
        editor={editor}
        type={type}
        locale={locale}
        document={document}
        onDeleted={onDeleted}
      />
    </>
  )
}

/** Where the content API serves the document. */
function apiUrl(type: ContentTypeView, { documentId }: ContentDocument, locale: string | undefined): string {
  const path = type.kind === 'single' ? type.path : `${type.path}/${documentId}`
  const url = new URL(`api/${path}`, rootUrl)
  if (locale !== undefined) url.searchParams.set('locale', locale)
  return url.href
}
