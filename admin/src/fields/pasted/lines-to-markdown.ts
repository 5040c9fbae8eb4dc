/** Writes pasted lines as Markdown. */
import type { PastedLine, PastedMark, PastedRun } from './lines.ts'

/** Markdown has no underline. */
const SIGNS: Readonly<Partial<Record<PastedMark, string>>> = { bold: '**', italic: '_', strikethrough: '~~' }

/** Whether Markdown says more than the text alone does. */
export const isRich = (lines: readonly PastedLine[]): boolean =>
  lines.some(({ kind }) => kind !== 'code') &&
  lines.some(
    ({ kind, cells }) =>
      kind !== 'paragraph' ||
      cells.flat().some(({ marks, url }) => url !== null || marks.some((mark) => mark !== 'underline')),
  )

export function markdownOfLines(lines: readonly PastedLine[]): string {
  const blocks: string[] = []
  /** The number of the last item at each depth, and the width of its sign; 0 for items without numbers. */
  let items: readonly { readonly number: number; readonly width: number }[] = []
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1]
    if (line.kind !== 'item') {
      items = []
      const isNextRow = line.kind === 'row' && before?.kind === 'row'
      blocks.push(index === 0 ? '' : isNextRow ? '\n' : '\n\n', blockOf(line, isNextRow))
      continue
    }
    const depth = Math.min(line.level, items.length)
    const number = line.isOrdered ? (items[depth]?.number ?? 0) + 1 : 0
    const sign = line.isOrdered ? `${number}. ` : '- '
    const indent = ' '.repeat(items.slice(0, depth).reduce((sum, { width }) => sum + width, 0))
    items = [...items.slice(0, depth), { number, width: sign.length }]
    const text = textOf(line).replaceAll('\n', `  \n${indent}${' '.repeat(sign.length)}`)
    blocks.push(index === 0 ? '' : before?.kind === 'item' ? '\n' : '\n\n', `${indent}${sign}${text}`)
  }
  return blocks.join('')
}

function blockOf(line: PastedLine, isNextRow: boolean): string {
  const text = textOf(line)
  switch (line.kind) {
    case 'heading':
      return `${'#'.repeat(line.level)} ${text.replaceAll('\n', ' ')}`
    case 'quote':
      return `> ${text.replaceAll('\n', '  \n> ')}`
    case 'code':
      return fenced(
        line.cells
          .flat()
          .map(({ text: code }) => code)
          .join(''),
      )
    case 'row': {
      const row = `| ${line.cells.map((runs) => inline(runs).replaceAll('\n', ' ').replaceAll('|', '\\|')).join(' | ')} |`
      return isNextRow ? row : `${row}\n|${' --- |'.repeat(line.cells.length)}`
    }
    default:
      return text.replaceAll('\n', '  \n')
  }
}

function fenced(code: string): string {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}\n${code.replace(/\n$/, '')}\n${fence}`
}

const textOf = ({ cells }: PastedLine) => inline(cells.flat()).split('\n').map(escapeStart).join('\n')

const inline = (runs: readonly PastedRun[]): string => runs.map(runText).join('')

function runText({ text, marks, url }: PastedRun): string {
  // Signs must stand beside a letter.
  const [, start = '', core = '', end = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  if (core === '') return text
  const isCode = marks.includes('code') && !core.includes('`')
  const signs = marks.flatMap((mark) => SIGNS[mark] ?? [])
  const marked = signs.reduce(
    (inner, sign) => `${sign}${inner}${sign}`,
    isCode ? `\`${core}\`` : escapeText(core),
  )
  const linked = url === null ? marked : `[${marked}](${urlText(url)})`
  return `${start}${linked}${end}`
}

/** An underscore inside a word is none of the signs. */
const escapeText = (text: string) =>
  text.replace(/[\\`*[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!])/giu, '\\$&')

/** What would begin a heading, a list or a quote. */
const escapeStart = (line: string) =>
  line.replace(/^(#{1,6}\s|[-+]\s|>)/, '\\$1').replace(/^(\d+)([.)]\s)/, '$1\\$2')

/** A blank or a bracket would end the URL. */
const urlText = (url: string) =>
  url.replace(/\s/g, encodeURIComponent).replaceAll('(', '%28').replaceAll(')', '%29')
