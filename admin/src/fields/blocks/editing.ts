/** The keys of the blocks editor. */
import { Extension } from '@tiptap/core'
import { history, redo, undo } from '@tiptap/pm/history'
import type { Command } from '@tiptap/pm/state'
import { indent, leaveEmptyItem, outdent, outdentAtStart } from './lists.ts'

/** A line break inside a block. */
const insertLineBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.insertText('\n').scrollIntoView())
  return true
}

export const Editing = Extension.create({
  name: 'editing',
  priority: 1_000,
  addProseMirrorPlugins: () => [history()],
  addKeyboardShortcuts() {
    const run = (command: Command) => () => command(this.editor.state, this.editor.view.dispatch)
    return {
      Enter: run(leaveEmptyItem),
      Backspace: run(outdentAtStart),
      Tab: run(indent),
      'Shift-Tab': run(outdent),
      'Shift-Enter': run(insertLineBreak),
      'Mod-z': run(undo),
      'Mod-Shift-z': run(redo),
      'Mod-y': run(redo),
    }
  },
})
