/** The editor of a document: its form, with everything around it. */
import { useHotkeys } from '@mantine/hooks'
import { useEffect, useMemo, useState } from 'react'
import type { ContentTypeView } from '../../api/types.ts'
import { inputId } from '../../fields/shared/use-field.ts'
import { FormProvider } from '../../form/hooks.ts'
import { formPathOf } from '../../form/values/document-values.ts'
import { useSchema } from '../../shell/me.tsx'
import { texts } from '../../texts.ts'
import { useIsActiveEditor } from './active-editor.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { DeletedDialog } from './deleted-dialog.tsx'
import styles from './document-editor.module.css'
import { FormBody } from './form/form-body.tsx'
import { jumpToField } from './form/jump-to-field.ts'
import { ProblemList } from './form/problem-list.tsx'
import { useReference } from './form/use-reference.ts'
import { EditorHeader } from './header/editor-header.tsx'
import { usePresence } from './header/presence.tsx'
import { LocalCopyNotice, useLocalCopy } from './local-copy.tsx'
import { PreviewFrame } from './preview-frame.tsx'
import { SidePanel } from './side-panel.tsx'
import { type Editor, type EditorOptions, useEditor } from './use-editor.ts'

export function DocumentEditor(options: EditorOptions) {
  const { type, locale, onSaved } = options
  const isInDrawer = onSaved !== undefined
  const schema = useSchema()
  const editor = useEditor(schema, options)
  const { store, openRows, pending, exists, version } = editor
  const [compared, setCompared] = useState<string | null>(null)
  const [isPreviewOpen, setIsPreviewOpen] = useState(false)
  const localCopy = useLocalCopy(editor, schema, options)
  const others = usePresence(editor)
  const reference = useReference(editor.address, compared, options.populate)
  const mayWrite = version || exists ? type.actions.update : type.actions.create
  const isActive = useIsActiveEditor()
  useUndoKeys(store, isActive)
  useInitialField(editor, type, options.field)
  useHotkeys(
    [
      ['mod+S', () => isActive() && mayWrite && void editor.save()],
      [
        'mod+shift+Enter',
        () =>
          isActive() &&
          type.draftAndPublish &&
          type.actions.publish &&
          void editor.act('publish', texts.edit.published),
      ],
    ],
    // In every field, rich text and code included.
    [],
    true,
  )
  const isNew = version === null
  // Every field and entry renders again with another form.
  const form = useMemo(
    () => ({ store, openRows, pending, schema, locale, isNew }),
    [store, openRows, pending, schema, locale, isNew],
  )
  return (
    <FormProvider value={form}>
      <div className={styles.editor} data-preview={isPreviewOpen} data-drawer={isInDrawer}>
        <EditorHeader
          editor={editor}
          type={type}
          locale={locale}
          others={others}
          mayWrite={mayWrite}
          isInDrawer={isInDrawer}
          onPreview={type.view.previewUrl && !isInDrawer ? () => setIsPreviewOpen((open) => !open) : null}
          onDeleted={localCopy.forget}
        />
        <div className={styles.content}>
          <div className={styles.formColumn}>
            <LocalCopyNotice {...localCopy} isDeleted={options.isDeleted === true && version === null} />
            {!mayWrite && <p className={styles.notice}>{texts.edit.readOnly}</p>}
            {locale !== undefined && !options.isInLocale && version === null && exists && (
              <p className={styles.notice}>{texts.locales.missing(locale)}</p>
            )}
            <ProblemList type={type} />
            <FormBody type={type} mayWrite={mayWrite} reference={reference} />
          </div>
          {!isInDrawer && (
            <SidePanel
              editor={editor}
              type={type}
              locale={locale}
              compared={compared}
              onCompare={setCompared}
              reference={reference}
              mayWrite={mayWrite}
            />
          )}
          {isPreviewOpen && type.view.previewUrl && version && (
            <PreviewFrame
              url={type.view.previewUrl}
              type={type}
              document={version.document}
              locale={locale}
            />
          )}
        </div>
      </div>
      <ConflictDialog editor={editor} type={type} />
      <DeletedDialog editor={editor} type={type} />
    </FormProvider>
  )
}

/** Goes to the field that the address names, once. */
function useInitialField(
  { store, openRows }: Pick<Editor, 'store' | 'openRows'>,
  { attributes }: ContentTypeView,
  field: string | undefined,
) {
  const schema = useSchema()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the document is opened.
  useEffect(() => {
    if (field !== undefined) jumpToField(openRows, formPathOf(schema, attributes, store, field.split('.')))
  }, [field])
}

/** Whether an element undoes by itself: editors of long texts, and inputs that hold no value of the form, such as a search. */
function hasOwnUndo(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  const isOtherInput = target.matches('input, textarea') && !target.id.startsWith(inputId(''))
  return isOtherInput || target.closest('[data-own-undo]') !== null
}

/** Undo and redo of the whole form. */
function useUndoKeys(store: { undo(): void; redo(): void }, isActive: () => boolean) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function is about the same editor at each render.
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isUndoKey = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z'
      if (!isUndoKey || hasOwnUndo(event.target) || !isActive()) return
      event.preventDefault()
      if (event.shiftKey) store.redo()
      else store.undo()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [store])
}
