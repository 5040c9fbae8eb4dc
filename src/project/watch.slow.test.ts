import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createProjectFolder } from '../../test/support/project-folder.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { readSchemas } from './files.ts'
import type { SchemaSource } from './source.ts'
import { watchConfig, watchSchemas } from './watch.ts'

const typeFile = (name: string) => `src/api/${name}/content-types/${name}/schema.json`

/** Watches a folder; each call reads its schemas. */
function watchAndRead(folder: string, known: readonly SchemaSource[]) {
  const calls: (readonly SchemaSource[])[] = []
  const watch = watchSchemas(folder, known, async () => void calls.push(await readSchemas(folder, [])))
  return { watch, calls }
}

/** Watches a folder with these schemas; `sees` waits for the schemas after the last call, by uid. */
async function watched(t: TestContext, schemas: Readonly<Record<string, unknown>>) {
  const folder = createProjectFolder(t, { 'src/api/.keep': '', ...schemas })
  const { watch, calls } = watchAndRead(folder, await readSchemas(folder, []))
  t.after(watch.close)
  const last = () =>
    JSON.stringify(Object.fromEntries(calls.at(-1)?.map(({ uid, schema }) => [uid, schema]) ?? []))
  const sees = (expected: object) => waitUntil(() => last() === JSON.stringify(expected))
  return { folder, calls, sees }
}

/** Saves a file as `sed -i` and many editors do: written beside it, then moved over it. */
function replace(file: string, content: unknown) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, JSON.stringify(content))
  renameSync(`${file}.new`, file)
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('every replacement of a file is noticed, however often and quickly it happens', async (t) => {
  const { folder, sees } = await watched(t, { [typeFile('note')]: { edit: 0 } })
  for (const [edit, wait] of [0, 20, 100, 150, 300, 500, 100, 50, 1200, 0, 300].entries()) {
    replace(join(folder, typeFile('note')), { edit: edit + 1 })
    await pause(wait)
    if (wait >= 300) await sees({ 'api::note.note': { edit: edit + 1 } })
  }
})

test('files in new or moved folders are noticed, and so are their later edits', async (t) => {
  const { folder, sees } = await watched(t, { [typeFile('note')]: { edit: 0 } })
  const note = { 'api::note.note': { edit: 0 } }
  replace(join(folder, typeFile('book')), { edit: 1 })
  await sees({ 'api::book.book': { edit: 1 }, ...note })
  replace(join(folder, typeFile('book')), { edit: 2 })
  await sees({ 'api::book.book': { edit: 2 }, ...note })

  const elsewhere = createProjectFolder(t, { 'card/content-types/card/schema.json': { edit: 3 } })
  renameSync(join(elsewhere, 'card'), join(folder, 'src/api/card'))
  const book = { 'api::book.book': { edit: 2 } }
  await sees({ ...book, 'api::card.card': { edit: 3 }, ...note })
  writeFileSync(join(folder, typeFile('card')), JSON.stringify({ edit: 4 }))
  await sees({ ...book, 'api::card.card': { edit: 4 }, ...note })
})

test('deleted files and recreated folders are noticed', async (t) => {
  const { folder, sees } = await watched(t, {
    [typeFile('book')]: { edit: 0 },
    [typeFile('note')]: { edit: 0 },
  })
  const note = { 'api::note.note': { edit: 0 } }
  rmSync(join(folder, typeFile('book')))
  await sees(note)
  for (const edit of [1, 2, 3]) {
    rmSync(join(folder, 'src/api/book'), { recursive: true })
    replace(join(folder, typeFile('book')), { edit })
    await sees({ 'api::book.book': { edit }, ...note })
    replace(join(folder, typeFile('book')), { edit: -edit })
    await sees({ 'api::book.book': { edit: -edit }, ...note })
  }
  rmSync(join(folder, 'src'), { recursive: true })
  await sees({})
  replace(join(folder, typeFile('note')), { edit: 4 })
  await sees({ 'api::note.note': { edit: 4 } })
})

test('files behind symbolic links are noticed, and circular links do no harm', async (t) => {
  const elsewhere = createProjectFolder(t, { 'shared/book.json': { edit: 0 } })
  const { folder, sees } = await watched(t, { [typeFile('note')]: { edit: 0 } })
  mkdirSync(dirname(join(folder, typeFile('book'))), { recursive: true })
  symlinkSync(join(elsewhere, 'shared/book.json'), join(folder, typeFile('book')))
  symlinkSync(join(folder, 'src'), join(folder, 'src/circle'))
  const note = { 'api::note.note': { edit: 0 } }
  await sees({ 'api::book.book': { edit: 0 }, ...note })
  writeFileSync(join(elsewhere, 'shared/book.json'), JSON.stringify({ edit: 1 }))
  await sees({ 'api::book.book': { edit: 1 }, ...note })
})

test('an edit between loading the project and watching it is noticed', async (t) => {
  const folder = createProjectFolder(t, { [typeFile('note')]: { edit: 0 } })
  const loaded = await readSchemas(folder, [])
  replace(join(folder, typeFile('note')), { edit: 1 })
  const { watch, calls } = watchAndRead(folder, loaded)
  t.after(watch.close)
  await waitUntil(() => calls.length > 0)
  assert.deepEqual(calls.at(0)?.at(0)?.schema, { edit: 1 })
})

test('nothing is reported without a change, or after watching was stopped', async (t) => {
  const folder = createProjectFolder(t, { [typeFile('note')]: { edit: 0 } })
  const { watch, calls } = watchAndRead(folder, await readSchemas(folder, []))
  await watch.ready
  replace(join(folder, typeFile('note')), { edit: 0 })
  await pause(1300)
  watch.close()
  replace(join(folder, typeFile('note')), { edit: 1 })
  await pause(300)
  assert.equal(calls.length, 0)
})

test('configuration files are noticed when they are replaced, or their folder is created', async (t) => {
  const folder = createProjectFolder(t, { 'octavo.config.json': {} })
  let calls = 0
  const watch = watchConfig(folder, () => void calls++)
  t.after(watch.close)
  await watch.ready
  for (const file of ['octavo.config.json', 'config/roles.json'])
    for (const edit of [1, 2, 3]) {
      const before = calls
      replace(join(folder, file), { edit })
      await waitUntil(() => calls > before)
    }
})
