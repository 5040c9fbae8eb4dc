/** Writes pasted lines as the HTML that the blocks editor reads, in which every space and line break counts. */
import type { PastedLine, PastedMark, PastedRun } from './lines.ts'

const TAGS: Readonly<Record<PastedMark, string>> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
  code: 'code',
}

/** Blocks have no tables: the cells of a row are in one paragraph. */
const CELL_SEPARATOR = ' | '

export function htmlOfLines(lines: readonly PastedLine[]): string {
  const html: string[] = []
  /** The open lists, each with its tag. */
  const open: string[] = []
  const closeTo = (depth: number) => {
    while (open.length > depth) html.push(`</${open.pop()}>`)
  }
  for (const line of lines) {
    const content = line.cells.map((runs) => runs.map(runHtml).join('')).join(CELL_SEPARATOR)
    if (line.kind !== 'item') {
      closeTo(0)
      const tag = tagOf(line)
      html.push(`<${tag}>${content}</${tag}>`)
      continue
    }
    const tag = line.isOrdered ? 'ol' : 'ul'
    // A list cannot begin deeper than one level below the one around it.
    const depth = Math.min(line.level, open.length)
    closeTo(depth + 1)
    if (open.length === depth + 1 && open[depth] !== tag) closeTo(depth)
    if (open.length === depth) {
      open.push(tag)
      html.push(`<${tag}>`)
    }
    html.push(`<li>${content}</li>`)
  }
  closeTo(0)
  return html.join('')
}

const tagOf = ({ kind, level }: PastedLine) =>
  kind === 'heading' ? `h${level}` : kind === 'quote' ? 'blockquote' : kind === 'code' ? 'pre' : 'p'

function runHtml({ text, marks, url }: PastedRun): string {
  const marked = marks.reduce((inner, mark) => `<${TAGS[mark]}>${inner}</${TAGS[mark]}>`, escapeHtml(text))
  return url === null ? marked : `<a href="${escapeHtml(url)}">${marked}</a>`
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
