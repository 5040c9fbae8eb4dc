/** The tools of the blocks editor. */
import { ActionIcon, Button, Popover, Select, TextInput, Tooltip } from '@mantine/core'
import {
  IconBold,
  IconCode,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconPhoto,
  IconStrikethrough,
  IconUnderline,
} from '@tabler/icons-react'
import type { Command } from '@tiptap/pm/state'
import { type Editor, useEditorState } from '@tiptap/react'
import { type ReactNode, useState } from 'react'
import type { AttributeView, MediaFile } from '../../api/types.ts'
import { texts } from '../../texts.ts'
import { MediaPicker } from '../media/media-picker.tsx'
import styles from './blocks.module.css'
import { toggleList } from './lists.ts'

const ICON = { size: 16, stroke: 1.5 }

const MARKS = [
  { name: 'bold', label: texts.blocks.bold, Icon: IconBold },
  { name: 'italic', label: texts.blocks.italic, Icon: IconItalic },
  { name: 'underline', label: texts.blocks.underline, Icon: IconUnderline },
  { name: 'strikethrough', label: texts.blocks.strikethrough, Icon: IconStrikethrough },
  { name: 'code_mark', label: texts.blocks.inlineCode, Icon: IconCode },
] as const

const KINDS = [
  { value: 'paragraph', label: texts.blocks.paragraph },
  ...[1, 2, 3, 4, 5, 6].map((level) => ({ value: `heading-${level}`, label: texts.blocks.heading(level) })),
  { value: 'quote', label: texts.blocks.quote },
  { value: 'code', label: texts.blocks.code },
]

interface ToolState {
  readonly kind: string | null
  readonly marks: readonly string[]
  readonly list: string | null
  readonly link: string | null
}

function stateOf({ editor }: { editor: Editor }): ToolState {
  const { $from } = editor.state.selection
  const { name } = $from.parent.type
  const list = name === 'listItem' ? String($from.node(-1).attrs.format) : null
  return {
    kind: name === 'heading' ? `heading-${$from.parent.attrs.level}` : list ? null : name,
    marks: MARKS.filter((mark) => editor.isActive(mark.name)).map((mark) => mark.name),
    list,
    link: editor.isActive('link') ? String(editor.getAttributes('link').url) : null,
  }
}

/** Commands after which writing continues in the text. */
function inText(editor: Editor) {
  // The command `focus` alone waits for the next frame: what is typed until then would be lost.
  editor.view.focus()
  return editor.chain().focus()
}

export function BlocksToolbar({ editor }: { readonly editor: Editor }) {
  const state = useEditorState({ editor, selector: stateOf })
  const run = (command: Command) => {
    command(editor.state, editor.view.dispatch)
    editor.view.focus()
  }
  const setKind = (kind: string) => {
    const [name = '', level] = kind.split('-')
    if (state.list === 'ordered' || state.list === 'unordered') run(toggleList(state.list))
    inText(editor)
      .setNode(name, level === undefined ? {} : { level: Number(level) })
      .run()
  }
  return (
    <div className={styles.tools} role="toolbar" aria-label={texts.blocks.toolbar}>
      <Select
        size="xs"
        w={120}
        data={KINDS}
        value={state.kind}
        // Also for the kind that it has already: writing continues in the text.
        onOptionSubmit={setKind}
        allowDeselect={false}
        aria-label={texts.blocks.blockType}
      />
      {MARKS.map(({ name, label, Icon }) => (
        <Tool
          key={name}
          label={label}
          isActive={state.marks.includes(name)}
          onClick={() => inText(editor).toggleMark(name).run()}
        >
          <Icon {...ICON} />
        </Tool>
      ))}
      <LinkTool editor={editor} url={state.link} />
      <Tool
        label={texts.blocks.bulletList}
        isActive={state.list === 'unordered'}
        onClick={() => run(toggleList('unordered'))}
      >
        <IconList {...ICON} />
      </Tool>
      <Tool
        label={texts.blocks.numberedList}
        isActive={state.list === 'ordered'}
        onClick={() => run(toggleList('ordered'))}
      >
        <IconListNumbers {...ICON} />
      </Tool>
      <ImageTool editor={editor} />
    </div>
  )
}

interface ToolProps {
  readonly label: string
  readonly isActive: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

function Tool({ label, isActive, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        aria-pressed={isActive}
        data-active={isActive}
        className={styles.tool}
        // The selection in the text must stay.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

function LinkTool({ editor, url }: { readonly editor: Editor; readonly url: string | null }) {
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState('')
  const open = () => {
    setText(url ?? '')
    setIsOpen(true)
  }
  const set = (next: string) => {
    const chain = inText(editor).extendMarkRange('link')
    if (next === '') chain.unsetMark('link').run()
    else chain.setMark('link', { url: next }).run()
    setIsOpen(false)
  }
  return (
    <Popover opened={isOpen} onChange={setIsOpen} width={320} trapFocus withRoles={false}>
      <Popover.Target>
        <span>
          <Tool label={texts.blocks.link} isActive={url !== null} onClick={open}>
            <IconLink {...ICON} />
          </Tool>
        </span>
      </Popover.Target>
      <Popover.Dropdown>
        <TextInput
          label={texts.blocks.linkUrl}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            set(text.trim())
          }}
          data-autofocus
        />
        <div className={styles.linkActions}>
          <Button size="xs" onClick={() => set(text.trim())}>
            {texts.blocks.setLink}
          </Button>
          {url !== null && (
            <Button size="xs" variant="default" onClick={() => set('')}>
              {texts.blocks.removeLink}
            </Button>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Which files can be inserted. */
const IMAGES: AttributeView = {
  name: 'image',
  type: 'media',
  localized: false,
  readable: true,
  writable: { create: true, update: true },
  allowedTypes: ['images'],
}

function ImageTool({ editor }: { readonly editor: Editor }) {
  const [isPicking, setIsPicking] = useState(false)
  const insert = ([file]: readonly MediaFile[]) => {
    if (file)
      inText(editor)
        .insertContent({ type: 'image', attrs: { image: file } })
        .run()
  }
  return (
    <>
      <Tool label={texts.blocks.image} isActive={false} onClick={() => setIsPicking(true)}>
        <IconPhoto {...ICON} />
      </Tool>
      <MediaPicker
        isOpen={isPicking}
        onClose={() => setIsPicking(false)}
        attribute={IMAGES}
        onPick={insert}
      />
    </>
  )
}
