/** Shows each line of a text in the direction of its language. */
import { Prec, RangeSetBuilder } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from '@codemirror/view'

const automatic = Decoration.line({ attributes: { dir: 'auto' } })

function visibleLines({ state, visibleRanges }: EditorView): DecorationSet {
  const lines = new RangeSetBuilder<Decoration>()
  for (const { from, to } of visibleRanges)
    for (let position = from; position <= to; ) {
      const line = state.doc.lineAt(position)
      lines.add(line.from, line.from, automatic)
      position = line.to + 1
    }
  return lines.finish()
}

const plugin = ViewPlugin.define(
  (view) => ({
    lines: visibleLines(view),
    update({ docChanged, viewportChanged, view: updated }) {
      if (docChanged || viewportChanged) this.lines = visibleLines(updated)
    },
  }),
  { decorations: ({ lines }) => lines },
)

export const lineDirection = [
  EditorView.perLineTextDirection.of(true),
  Prec.lowest(plugin),
  EditorView.theme({ '.cm-line': { textAlign: 'start' } }),
]
