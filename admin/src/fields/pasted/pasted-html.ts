/** Reads HTML from the clipboard, such as of Word, Google Docs or a web page, as lines. */
import { PASTED_MARKS, type PastedLine, type PastedMark, type PastedRun, tidyRuns } from './lines.ts'

/** Elements that say nothing to a reader. */
const SKIPPED = new Set(
  'SCRIPT STYLE HEAD TITLE META LINK NOSCRIPT TEMPLATE SVG IFRAME OBJECT SELECT TEXTAREA INPUT BUTTON'.split(
    ' ',
  ),
)

const BLOCKS = new Set(
  'P DIV SECTION ARTICLE ASIDE HEADER FOOTER MAIN NAV FIGURE FIGCAPTION ADDRESS DL DT DD DETAILS SUMMARY FORM FIELDSET TABLE CAPTION THEAD TBODY TFOOT TR TD TH CENTER BODY HR'.split(
    ' ',
  ),
)

const MARK_OF: Readonly<Record<string, PastedMark>> = {
  ...{
    B: 'bold',
    STRONG: 'bold',
    I: 'italic',
    EM: 'italic',
    CITE: 'italic',
    U: 'underline',
    INS: 'underline',
  },
  ...{ S: 'strikethrough', DEL: 'strikethrough', STRIKE: 'strikethrough' },
  ...{ CODE: 'code', KBD: 'code', SAMP: 'code', TT: 'code' },
}

type Style = Pick<PastedLine, 'kind' | 'level' | 'isOrdered'>

interface Context {
  readonly style: Style
  readonly marks: ReadonlySet<PastedMark>
  readonly url: string | null
  /** Inside a list item or a cell, in which paragraphs are separated by line breaks. */
  readonly isInLine: boolean
  readonly listDepth: number
}

const PARAGRAPH: Style = { kind: 'paragraph', level: 0, isOrdered: false }

export interface Pasted {
  readonly lines: readonly PastedLine[]
  /** How many images are not in the lines. */
  readonly images: number
}

export function readPastedHtml(html: string): Pasted {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), 'text/html')
  const reader = createReader()
  reader.read(body, { style: PARAGRAPH, marks: new Set(), url: null, isInLine: false, listDepth: -1 })
  return { lines: reader.lines(), images: reader.images() }
}

/** The policy of the page refuses styles, even in documents that are never shown; what they say about the text is read below. */
const withoutStyles = (html: string) =>
  html
    .replace(/<(style|script)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='))

const styleOf = (element: Element) => (element.getAttribute('data-style') ?? '').toLowerCase()

const property = (style: string, name: string) =>
  new RegExp(`(?:^|[;\\s])${name}\\s*:\\s*([^;]+)`).exec(style)?.[1]?.trim()

function createReader() {
  const lines: PastedLine[] = []
  let cells: PastedRun[][] = [[]]
  let style: Style | null = null
  let images = 0
  /** Whether the next text, inside a line, begins below what is there. */
  let needsBreak = false

  const runs = () => cells.at(-1) ?? []
  const isEmpty = () => runs().every(({ text }) => text.trim() === '')
  const endLine = () => {
    const tidy = cells.map((each) => (style?.kind === 'code' ? each : tidyRuns(each)))
    if (style && tidy.some((each) => each.length > 0)) lines.push({ ...style, cells: tidy })
    cells = [[]]
    style = null
    needsBreak = false
  }
  const write = (text: string, { style: wanted, marks, url }: Context) => {
    style ??= wanted
    if (needsBreak && !isEmpty()) runs().push({ text: '\n', marks: [], url: null })
    needsBreak = false
    const isCode = style.kind === 'code'
    runs().push({
      text,
      marks: isCode ? [] : PASTED_MARKS.filter((mark) => marks.has(mark)),
      url: isCode ? null : url,
    })
  }
  const writeText = (text: string, context: Context) => {
    if (context.style.kind === 'code') return write(text.replace(/\r\n?/g, '\n'), context)
    const collapsed = text.replace(/[ \t\n\r\f]+/g, ' ')
    const needsNoBlank = needsBreak || isEmpty() || /\s$/.test(runs().at(-1)?.text ?? '')
    const shown = needsNoBlank ? collapsed.replace(/^ /, '') : collapsed
    if (shown !== '') write(shown, context)
  }

  const readChildren = (node: Node, context: Context) => {
    for (const child of node.childNodes) read(child, context)
  }
  /** What begins and ends a line, unless it is inside of one. */
  const readBlock = (element: Element, context: Context) => {
    if (!context.isInLine) {
      endLine()
      readChildren(element, context)
      return endLine()
    }
    needsBreak = true
    readChildren(element, context)
    needsBreak = true
  }
  const readLine = (element: Element, context: Context, lineStyle: Style) => {
    endLine()
    readChildren(element, { ...context, style: lineStyle, isInLine: true })
    endLine()
  }
  const readRow = (row: Element, context: Context) => {
    endLine()
    const inRow: Context = { ...context, style: { ...PARAGRAPH, kind: 'row' }, isInLine: true }
    style = inRow.style
    for (const [index, cell] of [...row.children].entries()) {
      if (index > 0) cells.push([])
      needsBreak = false
      readChildren(cell, inRow)
    }
    endLine()
  }

  function read(node: Node, context: Context): void {
    if (node.nodeType === Node.TEXT_NODE) writeText(node.textContent ?? '', context)
    else if (node instanceof Element && !SKIPPED.has(node.tagName.toUpperCase())) readElement(node, context)
  }

  function readElement(node: Element, context: Context): void {
    const css = styleOf(node)
    if (/display\s*:\s*none|mso-list\s*:\s*ignore|mso-hide\s*:\s*all/.test(css)) return
    const name = node.tagName
    const inside = { ...context, ...inlineOf(node, css, context) }
    const heading = /^H([1-6])$/.exec(name)
    const wordItem = wordItemOf(node, css)
    if (name === 'BR') {
      if (!isEmpty()) write('\n', context)
    } else if (name === 'IMG') {
      // Emoji are often pictures.
      const alternative = node.getAttribute('alt') ?? ''
      if (/\p{Extended_Pictographic}/u.test(alternative)) write(alternative, context)
      else if (!isTracker(node)) images++
    } else if (wordItem) readLine(node, inside, wordItem)
    else if (name === 'UL' || name === 'OL') {
      endLine()
      const listDepth = context.listDepth + 1
      const item: Style = { kind: 'item', level: listDepth, isOrdered: name === 'OL' }
      readChildren(node, { ...inside, style: item, listDepth, isInLine: false })
      endLine()
    } else if (name === 'LI') {
      const item =
        context.style.kind === 'item'
          ? context.style
          : ({ kind: 'item', level: 0, isOrdered: false } as const)
      readLine(node, inside, item)
    } else if (
      context.isInLine &&
      context.style.kind !== 'code' &&
      (heading || name === 'PRE' || name === 'BLOCKQUOTE')
    )
      readBlock(node, inside)
    else if (heading) readLine(node, inside, { kind: 'heading', level: Number(heading[1]), isOrdered: false })
    else if (name === 'PRE') readLine(node, inside, { ...PARAGRAPH, kind: 'code' })
    else if (name === 'BLOCKQUOTE') readBlock(node, { ...inside, style: { ...PARAGRAPH, kind: 'quote' } })
    else if (name === 'TR' && isDataTable(node.closest('table'))) readRow(node, inside)
    else if (BLOCKS.has(name)) readBlock(node, inside)
    else readChildren(node, inside)
  }
  return {
    read,
    lines(): readonly PastedLine[] {
      endLine()
      return lines
    },
    images: () => images,
  }
}

/** Whether an image is there to be requested, not to be seen. */
const isTracker = (image: Element) =>
  ['width', 'height'].some((side) => ['0', '1'].includes(image.getAttribute(side) ?? ''))

/** The marks and the link of what is inside an element. */
function inlineOf(element: Element, css: string, context: Context): Pick<Context, 'marks' | 'url'> {
  const marks = new Set(context.marks)
  const mark = MARK_OF[element.tagName]
  if (mark) marks.add(mark)
  const set = (each: PastedMark, isOn: boolean) => (isOn ? marks.add(each) : marks.delete(each))
  const weight = property(css, 'font-weight')
  if (weight !== undefined) set('bold', weight.startsWith('bold') || Number.parseInt(weight, 10) >= 600)
  const slant = property(css, 'font-style')
  if (slant !== undefined) set('italic', slant.startsWith('italic') || slant.startsWith('oblique'))
  const url = element.tagName === 'A' ? safeUrl(element.getAttribute('href')) : context.url
  const decoration = property(css, 'text-decoration(?:-line)?') ?? ''
  if (decoration.includes('line-through')) marks.add('strikethrough')
  // Every link is underlined.
  if (decoration.includes('underline') && url === null) marks.add('underline')
  if (url !== null) marks.delete('underline')
  return { marks, url }
}

/** Null for URLs that run code, that lead to the computer of the author, or nowhere. */
function safeUrl(href: string | null): string | null {
  const url = (href ?? '').trim()
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url.replace(/[\0-\x20]/g, ''))?.[1]?.toLowerCase()
  if (url === '' || (scheme !== undefined && !['http', 'https', 'mailto', 'tel', 'ftp'].includes(scheme)))
    return null
  return url
}

/** Word writes the items of lists as paragraphs, which begin with their bullet or number. */
function wordItemOf(element: Element, css: string): Style | null {
  const list = element.tagName === 'P' ? /mso-list\s*:\s*l\d+\s+level(\d+)/.exec(css) : null
  if (!list) return null
  const bullet = [...element.querySelectorAll('[data-style]')].find((each) =>
    /mso-list\s*:\s*ignore/.test(styleOf(each)),
  )
  const isOrdered = /^[\s\u00a0]*\(?[0-9a-z]{1,5}[.)]/i.test(bullet?.textContent ?? '')
  return { kind: 'item', level: Number(list[1]) - 1, isOrdered }
}

/** Whether a table has rows of cells with text. Others only arrange what is inside. */
function isDataTable(table: Element | null): boolean {
  if (!table || table.querySelector('h1, h2, h3, h4, h5, h6, ul, ol, table, pre, blockquote')) return false
  return [...table.querySelectorAll('tr')].some(({ children }) => children.length > 1)
}
