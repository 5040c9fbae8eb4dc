/** The head of the editor: title, status, who else is here, and what can be done with the document. */
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconArrowLeft, IconEye } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Presence } from '../../../api/content/content.ts'
import type { ContentTypeView } from '../../../api/types.ts'
import { useForm, useFormStatus, useValue } from '../../../form/hooks.ts'
import { texts } from '../../../texts.ts'
import { StatusBadge } from '../../status-badge.tsx'
import styles from '../document-editor.module.css'
import type { Editor } from '../use-editor.ts'
import { EditorMenu } from './editor-menu.tsx'
import { PresentPeople } from './presence.tsx'

interface EditorHeaderProps {
  readonly editor: Editor
  readonly type: ContentTypeView
  readonly locale: string | undefined
  readonly others: readonly Presence[]
  readonly mayWrite: boolean
  readonly isInDrawer: boolean
  readonly onPreview: (() => void) | null
  readonly onDeleted: () => void
}

export function EditorHeader({
  editor,
  type,
  locale,
  others,
  mayWrite,
  isInDrawer,
  onPreview,
  onDeleted,
}: EditorHeaderProps) {
  const { version, work } = editor
  const status = useFormStatus()
  const canPublish = type.draftAndPublish && type.actions.publish && mayWrite
  const isPublishable = status.isDirty || version?.document.__meta?.status !== 'published'
  return (
    <header className={styles.header}>
      {type.kind === 'collection' && !isInDrawer && (
        <Tooltip label={texts.edit.backTo(type.view.label)}>
          <ActionIcon
            size="lg"
            renderRoot={(props) => <Link to="/content/$type" params={{ type: type.path }} {...props} />}
            aria-label={texts.edit.backTo(type.view.label)}
          >
            <IconArrowLeft size={18} stroke={1.5} />
          </ActionIcon>
        </Tooltip>
      )}
      <div className={styles.titles}>
        <Title type={type} isNew={version === null} />
        {type.draftAndPublish && version?.document.__meta && (
          <StatusBadge status={version.document.__meta.status} />
        )}
        <span className={styles.saveState} role="status">
          {work !== null
            ? texts.edit.saving
            : status.isDirty
              ? texts.edit.unsaved
              : version
                ? texts.edit.allSaved
                : ''}
        </span>
      </div>
      <PresentPeople others={others} />
      <UndoButtons />
      {onPreview && version && (
        <Button variant="default" leftSection={<IconEye size={16} stroke={1.5} />} onClick={onPreview}>
          {texts.edit.preview}
        </Button>
      )}
      {mayWrite && (
        <Button
          variant={canPublish ? 'default' : 'filled'}
          loading={work === 'save'}
          disabled={!status.isDirty && version !== null}
          onClick={() => void editor.save()}
        >
          {texts.edit.save}
        </Button>
      )}
      {canPublish && (
        <Button
          loading={work === 'publish'}
          disabled={!isPublishable}
          onClick={() => void editor.act('publish', texts.edit.published)}
        >
          {texts.edit.publish}
        </Button>
      )}
      {version && !isInDrawer && (
        <EditorMenu
          editor={editor}
          type={type}
          locale={locale}
          document={version.document}
          onDeleted={onDeleted}
        />
      )}
    </header>
  )
}

function Title({ type, isNew }: { readonly type: ContentTypeView; readonly isNew: boolean }) {
  const [value] = useValue(type.view.mainField)
  const title = typeof value === 'string' && value.trim() !== '' ? value : null
  const fallback =
    type.kind === 'single'
      ? type.displayName
      : isNew
        ? texts.edit.newDocument(type.displayName)
        : texts.list.untitled
  return (
    <h1 className={styles.title} dir="auto">
      {type.kind === 'single' ? type.displayName : (title ?? fallback)}
    </h1>
  )
}

function UndoButtons() {
  const { store } = useForm()
  const { canUndo, canRedo } = useFormStatus()
  return (
    <>
      <ActionIcon size="lg" disabled={!canUndo} onClick={store.undo} aria-label={texts.edit.undo}>
        <IconArrowBackUp size={18} stroke={1.5} />
      </ActionIcon>
      <ActionIcon size="lg" disabled={!canRedo} onClick={store.redo} aria-label={texts.edit.redo}>
        <IconArrowForwardUp size={18} stroke={1.5} />
      </ActionIcon>
    </>
  )
}
