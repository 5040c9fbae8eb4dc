import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProgress } from './progress.ts'

function screenOf(isTTY: boolean, columns = 80) {
  const written: string[] = []
  return { isTTY, columns, write: (text: string) => void written.push(text), written }
}

test('a bar grows on one line of a terminal and ends full', () => {
  const screen = screenOf(true)
  const progress = createProgress(screen)
  progress.part('Rows', 4)
  for (let time = 0; time < 4; time++) progress.step()
  progress.end()
  assert.equal(screen.written[0], `\r\x1b[KRows ${'█'.repeat(8)}${'░'.repeat(22)} 25 % (1 of 4)`)
  assert.equal(screen.written.at(-1), `\r\x1b[KRows ${'█'.repeat(30)} 100 % (4 of 4)\n`)
})

test('a bar is never wider than the terminal', () => {
  const screen = screenOf(true, 20)
  const progress = createProgress(screen)
  progress.part('Rows, relations and permissions', 1_000_000)
  progress.step()
  assert.equal(screen.written[0], '\r\x1b[KRows, relations and')
})

test('without a terminal, each finished part is one line', () => {
  const screen = screenOf(false)
  const progress = createProgress(screen)
  progress.part('Rows', 2)
  progress.step(2)
  progress.part('Files', null)
  progress.step()
  assert.deepEqual(screen.written, ['Rows: 2\n'])
  progress.end()
  assert.deepEqual(screen.written, ['Rows: 2\n', 'Files: 1\n'])
})
