/** `octavo export` and `octavo import` that do not come to their end: what is left of them. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { importArchive } from '../../src/cli/archive/import-archive.ts'
import { type OpenProject, withProject } from '../../src/cli/archive/open-project.ts'
import { UnknownOutcome } from '../../src/store/errors.ts'
import { launch, octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { collection, openProject, projectFolder, string, TOKEN, typeFile } from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'

const FILES = { [typeFile('note')]: collection('note', { text: string }) }

const uploadsOf = (folder: string) => {
  const uploads = path.join(folder, 'public/uploads')
  return existsSync(uploads) ? readdirSync(uploads).filter((name) => !name.startsWith('.')) : []
}

onEachEngine((engine) => {
  let folder: string
  let url: string
  let archive: string
  before(async () => {
    folder = projectFolder(FILES)
    url = await engine.freshUrl()
    archive = path.join(folder, 'all.gz')
    const running = await openProject(folder, url)
    const created = await running.request('POST', '/api/notes', { data: { text: 'one' } })
    assert.equal(created.status, 201, created.text)
    const body = new FormData()
    body.append('files', new Blob(['text of a file']), 'file.txt')
    const headers = { authorization: `Bearer ${TOKEN}` }
    const uploaded = await fetch(`${running.base}/api/upload`, { method: 'POST', headers, body })
    assert.equal(uploaded.status, 201, await uploaded.text())
    await running.close()
    const exported = await octavo(['export', archive, '--project', folder, '--database', url])
    assert.equal(exported.code, 0, exported.err)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** Imports the archive into an empty project that is changed for the test. Returns the failure and what is there then. */
  async function failedImport(change: (opened: OpenProject) => Partial<OpenProject>) {
    const target = projectFolder(FILES)
    const database = await engine.freshUrl()
    const failure = await importArchive(
      archive,
      { project: target, database },
      {
        refuseExistingContent: async () => {},
        wouldReplace: async () => null,
        replacingFiles: (project, source, work) =>
          withProject(project, source, (opened) => work({ ...opened, ...change(opened) })),
      },
    ).then(
      () => null,
      (error: unknown) => error,
    )
    const files = uploadsOf(target).length
    const running = await openProject(target, database)
    const notes = (await running.request('GET', '/api/notes')).at('meta', 'pagination', 'total')
    await running.remove()
    return { failure, files, notes }
  }

  test('an import that is interrupted leaves neither content nor files', async () => {
    const { failure, files, notes } = await failedImport(({ storage }) => ({
      storage: {
        ...storage,
        async put(key, from) {
          await storage.put(key, from)
          process.emit('SIGINT')
        },
      },
    }))
    assert.match(String(failure), /Interrupted: nothing was imported/)
    assert.deepEqual({ files, notes }, { files: 0, notes: 0 })
  })

  test('an import keeps its files if its content may have been written', async () => {
    const { failure, files, notes } = await failedImport(({ store }) => ({
      store: {
        ...store,
        async write(work) {
          await store.write(work)
          throw new UnknownOutcome()
        },
      },
    }))
    assert.ok(failure instanceof UnknownOutcome, String(failure))
    assert.deepEqual({ files, notes }, { files: 1, notes: 1 })
  })

  test('an export that is interrupted leaves no file', { skip: process.platform === 'win32' }, async (t) => {
    const [stored = ''] = uploadsOf(folder)
    const file = path.join(folder, 'public/uploads', stored)
    rmSync(file)
    // A file that never ends.
    execFileSync('mkfifo', [file])
    const exports = path.join(folder, 'exports')
    mkdirSync(exports)
    const running = launch(['export', path.join(exports, 'a.gz'), '--project', folder, '--database', url])
    const endless = createWriteStream(file)
    endless.on('error', () => {})
    let writing: NodeJS.Timeout | undefined
    t.after(async () => {
      clearInterval(writing)
      endless.destroy()
      await running.stop('SIGKILL')
    })
    await waitUntil(() => running.output().includes('Tokens and permissions'))
    assert.equal(readdirSync(exports).length, 1)
    running.child.kill('SIGINT')
    const bytes = Buffer.alloc(64 * 1024)
    writing = setInterval(() => endless.write(bytes), 1)
    assert.equal(await running.exit(), 1)
    assert.match(running.output(), /Interrupted: no archive was written/)
    assert.deepEqual(readdirSync(exports), [])
  })
})
