import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type PastedLine, type PastedRun, tidyRuns } from './lines.ts'
import { htmlOfLines } from './lines-to-html.ts'
import { isRich, markdownOfLines } from './lines-to-markdown.ts'

const run = (text: string, given: Partial<PastedRun> = {}): PastedRun => ({
  text,
  marks: [],
  url: null,
  ...given,
})

const line = (text: string | readonly PastedRun[], given: Partial<PastedLine> = {}): PastedLine => ({
  kind: 'paragraph',
  level: 0,
  isOrdered: false,
  cells: [typeof text === 'string' ? [run(text)] : text],
  ...given,
})

const item = (text: string, level: number, isOrdered = false) =>
  line(text, { kind: 'item', level, isOrdered })

describe('pasted lines', () => {
  test('become HTML with lists inside lists, whatever levels are missing', () => {
    assert.equal(
      htmlOfLines([item('a', 2), item('b', 5), item('c', 0, true), line('after')]),
      '<ul><li>a</li><ul><li>b</li></ul></ul><ol><li>c</li></ol><p>after</p>',
    )
  })

  test('become HTML with escaped text', () => {
    const linked = run('<b> & "c"', { url: 'https://x.example/?a="b"&c' })
    assert.equal(
      htmlOfLines([line([linked])]),
      '<p><a href="https://x.example/?a=&quot;b&quot;&amp;c">&lt;b&gt; &amp; &quot;c&quot;</a></p>',
    )
  })

  test('become Markdown with numbered lists, quotes, code and tables', () => {
    const row = (...cells: readonly string[]) =>
      line('', { kind: 'row', cells: cells.map((text) => [run(text)]) })
    const lines = [
      line('Title', { kind: 'heading', level: 2 }),
      item('one', 0, true),
      item('inside', 1),
      item('two\nlines', 0, true),
      line('said', { kind: 'quote' }),
      line('a = `b`\n', { kind: 'code' }),
      row('A', 'x|y'),
      row('1', '2'),
    ]
    assert.equal(
      markdownOfLines(lines),
      [
        '## Title',
        '1. one\n   - inside\n2. two  \n   lines',
        '> said',
        '```\na = `b`\n```',
        '| A | x\\|y |\n| --- | --- |\n| 1 | 2 |',
      ].join('\n\n'),
    )
  })

  test('become Markdown with escaped text', () => {
    assert.equal(
      markdownOfLines([line('1. *not* a_list [x] <b> _y_')]),
      '1\\. \\*not\\* a_list \\[x\\] \\<b> \\_y\\_',
    )
    assert.equal(markdownOfLines([line('# no heading'), line('- no item')]), '\\# no heading\n\n\\- no item')
    const styled = [
      run('a '),
      run('bold ', { marks: ['bold'] }),
      run('b', { url: 'https://x.example/(y) z' }),
    ]
    assert.equal(markdownOfLines([line(styled)]), 'a **bold** [b](https://x.example/%28y%29%20z)')
  })

  test('are pasted as plain text if they have no structure', () => {
    assert.equal(isRich([line('a'), line('b')]), false)
    assert.equal(isRich([line('x = 1', { kind: 'code' })]), false)
    assert.equal(isRich([line([run('a', { marks: ['bold'] })])]), true)
  })

  test('have no blanks at their ends', () => {
    assert.deepEqual(tidyRuns([run(' \n'), run('a'), run('b '), run('\u00a0', { marks: ['bold'] })]), [
      run('ab'),
    ])
  })
})
