import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readArchive, writeArchive } from './archive-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-archive-file-'))
after(() => rmSync(folder, { recursive: true }))

async function namesIn(file: string): Promise<string[]> {
  const names: string[] = []
  for await (const line of readArchive(file)) names.push(line.string('name'))
  return names
}

test('two archives that are written to the same file at once do not mix', async () => {
  const file = join(folder, 'backup.gz')
  await writeArchive(file, async (writer) => {
    await writer.write({ kind: 'line', name: 'first' })
    await writeArchive(file, (other) => other.write({ kind: 'line', name: 'second' }))
    assert.deepEqual(await namesIn(file), ['second'])
    await writer.write({ kind: 'line', name: 'last' })
  })
  assert.deepEqual(await namesIn(file), ['first', 'last'])
  assert.deepEqual(readdirSync(folder), ['backup.gz'])
})
