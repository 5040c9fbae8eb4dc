/** Edits rich text as blocks. */
import { type Editor, EditorContent, useEditor } from '@tiptap/react'
import { useEffect, useRef } from 'react'
import { useValue } from '../../form/hooks.ts'
import type { FieldProps } from '../field-type.ts'
import { FieldFrame } from '../shared/field-frame.tsx'
import styles from './blocks.module.css'
import { BlocksToolbar } from './blocks-toolbar.tsx'
import { createSources, isEmptyDocument, type Sources, toBlocks, toEditor } from './convert.ts'
import { Editing } from './editing.ts'
import { blockExtensions } from './schema.ts'

const extensions = [...blockExtensions, Editing]

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
