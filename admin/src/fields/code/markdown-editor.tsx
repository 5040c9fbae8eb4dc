/** Edits Markdown as text, with buttons for its marks. */
import { markdown } from '@codemirror/lang-markdown'
import { EditorSelection } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconBold, IconCode, IconH2, IconItalic, IconLink, IconList, IconQuote } from '@tabler/icons-react'
import { useRef } from 'react'
import { useValue } from '../../form/hooks.ts'
import { texts } from '../../texts.ts'
import type { FieldProps } from '../field-type.ts'
import { imageFiles, reportImages } from '../pasted/images-left-out.ts'
import { isRich, markdownOfLines } from '../pasted/lines-to-markdown.ts'
import { readPastedHtml } from '../pasted/pasted-html.ts'
import { FieldFrame } from '../shared/field-frame.tsx'
import { textOf } from '../text/text-field.tsx'
import styles from './code.module.css'
import { CodeEditor } from './code-editor.tsx'
import { lineDirection } from './line-direction.ts'

type Command = (view: EditorView) => boolean

/** Puts a mark around each selection. */
const surround =
  (before: string, after = before): Command =>
  (view) => {
    view.dispatch(
      view.state.changeByRange((range) => ({
        changes: [
          { from: range.from, insert: before },
          { from: range.to, insert: after },
        ],
        range: EditorSelection.range(range.from + before.length, range.to + before.length),
      })),
      { scrollIntoView: true },
    )
    view.focus()
    return true
  }

/** Puts a mark at the start of each selected line. */
const prefix =
  (mark: string): Command =>
  (view) => {
    const { state } = view
    const lines = new Set(
      state.selection.ranges.flatMap(({ from, to }) => {
        const [first, last] = [state.doc.lineAt(from).number, state.doc.lineAt(to).number]
        return Array.from({ length: last - first + 1 }, (_, index) => state.doc.line(first + index).from)
      }),
    )
    view.dispatch({ changes: [...lines].map((from) => ({ from, insert: mark })) })
    view.focus()
    return true
  }

const TOOLS: readonly { readonly label: string; readonly Icon: typeof IconBold; readonly run: Command }[] = [
  { label: texts.markdown.bold, Icon: IconBold, run: surround('**') },
  { label: texts.markdown.italic, Icon: IconItalic, run: surround('_') },
  { label: texts.markdown.heading, Icon: IconH2, run: prefix('## ') },
  { label: texts.markdown.list, Icon: IconList, run: prefix('- ') },
  { label: texts.markdown.quote, Icon: IconQuote, run: prefix('> ') },
  { label: texts.markdown.code, Icon: IconCode, run: surround('`') },
  { label: texts.markdown.link, Icon: IconLink, run: surround('[', '](https://)') },
]

/** Text with a structure is pasted as Markdown; the browser pastes everything else. */
const pasteAsMarkdown = EditorView.domEventHandlers({
  paste(event, view) {
    const { clipboardData } = event
    const html = clipboardData?.getData('text/html') ?? ''
    // Copied code is HTML with colours.
    if (clipboardData?.types.includes('vscode-editor-data') || view.state.readOnly) return false
    const { lines, images } = readPastedHtml(html)
    reportImages(images + imageFiles(clipboardData))
    if (!isRich(lines)) return false
    event.preventDefault()
    view.dispatch(view.state.replaceSelection(markdownOfLines(lines)), {
      scrollIntoView: true,
      userEvent: 'input.paste',
    })
    return true
  },
})

const extensions = [
  markdown(),
  pasteAsMarkdown,
  lineDirection,
  keymap.of([
    { key: 'Mod-b', run: surround('**') },
    { key: 'Mod-i', run: surround('_') },
  ]),
]

export default function MarkdownEditor(props: FieldProps) {
  const { path, label, isReadOnly } = props
  const [value, setValue] = useValue(path)
  const view = useRef<EditorView | null>(null)
  return (
    <FieldFrame {...props}>
      <div className={styles.frame}>
        {!isReadOnly && (
          <div className={styles.tools} role="toolbar" aria-label={texts.markdown.toolbar}>
            {TOOLS.map(({ label: tool, Icon, run }) => (
              <Tooltip key={tool} label={tool}>
                <ActionIcon onClick={() => view.current && run(view.current)} aria-label={tool}>
                  <Icon size={16} stroke={1.5} />
                </ActionIcon>
              </Tooltip>
            ))}
          </div>
        )}
        <CodeEditor
          text={textOf(value)}
          onChange={(text) => setValue(text === '' ? null : text)}
          extensions={extensions}
          label={label}
          isReadOnly={isReadOnly}
          onReady={(editor) => {
            view.current = editor
          }}
        />
      </div>
    </FieldFrame>
  )
}
