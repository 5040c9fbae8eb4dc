/** Edits rich text as blocks. */
import { getSchema } from '@tiptap/core'
import { type Editor, EditorContent, useEditor } from '@tiptap/react'
import { useEffect, useRef } from 'react'
import { useValue } from '../../form/hooks.ts'
import type { FieldProps } from '../field-type.ts'
import { imageFiles, reportImages } from '../pasted/images-left-out.ts'
import { htmlOfLines } from '../pasted/lines-to-html.ts'
import { readPastedHtml } from '../pasted/pasted-html.ts'
import { FieldFrame } from '../shared/field-frame.tsx'
import styles from './blocks.module.css'
import { BlocksToolbar } from './blocks-toolbar.tsx'
import { copiesOf, isCopied } from './clipboard.ts'
import { createSources, isEmptyDocument, type Sources, toBlocks, toEditor } from './convert.ts'
import { Editing } from './editing.ts'
import { blockExtensions } from './schema.ts'

const extensions = [...blockExtensions, Editing]

const clipboardSerializer = copiesOf(getSchema(extensions))

/** What was copied here comes back as it is; from elsewhere only what blocks can say. */
function pastedHtml(html: string): string {
  if (isCopied(html)) return html
  const { lines, images } = readPastedHtml(html)
  reportImages(images)
  return htmlOfLines(lines)
}

export default function BlocksEditor(props: FieldProps) {
  const { path, label, isReadOnly } = props
  const [value, setValue] = useValue(path)
  /** The value that the editor shows. */
  const shown = useRef(value)
  const sources = useRef<Sources>(createSources())
  const editor = useEditor({
    extensions,
    content: toEditor(value),
    editable: !isReadOnly,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      clipboardSerializer,
      transformPastedHTML: pastedHtml,
      handlePaste: (_view, { clipboardData }) => {
        reportImages(imageFiles(clipboardData))
        return false
      },
      attributes: {
        'aria-label': label,
        role: 'textbox',
        'aria-multiline': 'true',
        class: styles.text ?? '',
      },
    },
    onCreate: ({ editor: created }) => sources.current.rememberAll(created.state.doc, shown.current),
    onUpdate: ({ editor: updated }) => {
      const blocks = isEmptyDocument(updated.state.doc) ? null : toBlocks(updated.state.doc, sources.current)
      shown.current = blocks
      setValue(blocks)
    },
  })

  // A change from outside, such as undo of the form.
  useEffect(() => {
    if (!editor || value === shown.current) return
    shown.current = value
    replaceContent(editor, value, sources)
  }, [editor, value])

  return (
    <FieldFrame {...props}>
      <div className={styles.frame} data-own-undo>
        {editor && !isReadOnly && <BlocksToolbar editor={editor} />}
        <EditorContent editor={editor} />
      </div>
    </FieldFrame>
  )
}

function replaceContent(editor: Editor, value: unknown, sources: { current: Sources }) {
  editor.commands.setContent(toEditor(value), { emitUpdate: false })
  sources.current = createSources()
  sources.current.rememberAll(editor.state.doc, value)
}
