/** A text editor for code, in the colours of the app. */
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { minimalSetup } from 'codemirror'
import { useEffect, useRef } from 'react'
import { styleNonce } from '../../theme/style-nonce.ts'

interface CodeEditorProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** Must not change between renders. */
  readonly extensions: Extension
  readonly label: string
  readonly isReadOnly: boolean
  /** Receives the editor for tools outside of it. */
  readonly onReady?: (view: EditorView | null) => void
}

const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent', fontSize: '13.5px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', maxHeight: '60vh', minHeight: '120px' },
  '.cm-content': { padding: '10px 12px', caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-line': { padding: '0' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 22%, transparent)',
  },
})

export function CodeEditor({ text, onChange, extensions, label, isReadOnly, onReady }: CodeEditorProps) {
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const report = useRef(onChange)
  report.current = onChange
  const initialText = useRef(text)
  const ready = useRef(onReady)

  useEffect(() => {
    if (!container.current) return
    const editor = new EditorView({
      parent: container.current,
      state: EditorState.create({
        doc: initialText.current,
        extensions: [
          minimalSetup,
          EditorView.lineWrapping,
          EditorView.cspNonce.of(styleNonce()),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorState.readOnly.of(isReadOnly),
          // Documents keep their line endings.
          ...(initialText.current.includes('\r\n') ? [EditorState.lineSeparator.of('\r\n')] : []),
          theme,
          extensions,
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) report.current(state.sliceDoc())
          }),
        ],
      }),
    })
    view.current = editor
    ready.current?.(editor)
    return () => {
      editor.destroy()
      view.current = null
      ready.current?.(null)
    }
  }, [extensions, label, isReadOnly])

  // A change from outside, such as undo of the form.
  useEffect(() => {
    initialText.current = text
    const editor = view.current
    if (!editor || editor.state.sliceDoc() === text) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: editor.state.toText(text) } })
  }, [text])

  return <div ref={container} data-own-undo />
}
