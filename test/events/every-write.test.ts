/** Every way to write content makes events: each function that writes is listed here with what it records. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readEventsAfter, readRange } from '../../src/events/outbox/read-events.ts'
import { systemScope } from '../../src/query/scope.ts'
import { type LibraryServer, startLibrary } from '../media/library-server.ts'
import { plain } from '../media/test-images.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'

const SRC = join(import.meta.dirname, '../../src')

/** The functions that insert, update or delete rows and edges, by the file that declares them. */
const WRITERS = {
  'documents/rows/version-rows.ts': ['insertVersions', 'updateVersions', 'deleteVersions'],
  'documents/rows/edge-rows.ts': [
    ...['insertEdges', 'insertEdgesOfNew', 'deleteEdges', 'deleteEdgesFrom', 'deleteEdgesTo'],
    'removeFromFormerOwners',
  ],
  'documents/rows/save.ts': ['saveVersions'],
  'documents/relations/owners.ts': ['storeOwnerEdges'],
  'documents/transfer/rows.ts': ['insertRows'],
  'documents/transfer/edges.ts': ['insertArchivedEdges'],
  'documents/transfer/record-import.ts': ['deleteAllRows'],
}

/** The files that call them, and the test that shows their records. */
const CALLERS: Readonly<Record<string, string>> = {
  'documents/rows/save.ts': 'called by documents/changes/save-document.ts only',
  'documents/changes/save-document.ts': 'src/documents/changes/change-records.test.ts',
  'documents/operations/remove.ts': 'src/documents/changes/change-records.test.ts',
  'documents/relations/owners.ts': 'src/documents/changes/change-records.test.ts',
  'documents/relations/inverse.ts': 'src/documents/changes/change-records.test.ts',
  'documents/relations/sync.ts': 'src/documents/changes/change-records.test.ts',
  'documents/transfer/edges.ts': 'the rows of an import have records, see below',
  'cli/archive/load.ts': 'an import, see below',
  'cli/strapi/write.ts': 'an import, see test/strapi',
  'media/files/records.ts': 'uploads, see below',
  'media/attach.ts': 'uploads, see below',
}

const sources = globSync('**/*.ts', { cwd: SRC }).filter((file) => !file.endsWith('.test.ts'))

describe('content is written in few places', () => {
  const names = Object.values(WRITERS).flat()

  it('and each of them is known to make records', () => {
    const callers = sources.filter((file) => {
      const imports = readFileSync(join(SRC, file), 'utf8').match(/^import [^;]*? from '[^']+'$/gms) ?? []
      return imports.some((text) => names.some((name) => new RegExp(`\\b${name}\\b`).test(text)))
    })
    assert.deepEqual(callers.sort(), Object.keys(CALLERS).sort())
  })

  it('which alone have SQL that changes content', () => {
    const changing =
      /(insertInto\(sql\.table|insert into|update|delete from) \$\{(sql\.table\((type|owner|shown)\.|edges\b|table\})/i
    const isMigration = (file: string) => file.startsWith('store/')
    // `table` may also be one table of the server's own, which holds no content.
    const ownTable = /const table = sql\.table\((['"]octavo_|[A-Z_]+\))/
    const found = sources.filter((file) => {
      const text = readFileSync(join(SRC, file), 'utf8')
      return !isMigration(file) && !ownTable.test(text) && changing.test(text)
    })
    const declared = new Set(Object.keys(WRITERS))
    assert.deepEqual(
      found.filter((file) => !declared.has(file)),
      [],
    )
    assert.ok(found.includes('documents/rows/edge-rows.ts'))
  })
})

onEachEngine((engine) => {
  let library: LibraryServer
  before(async () => {
    library = await startLibrary(engine)
  })
  after(() => library.close())

  /** The events of some requests, each as its name and the singular name of the content-type. */
  async function eventsOf(work: () => Promise<unknown>): Promise<string[]> {
    const { store } = library.server
    const { newest } = await readRange(store)
    await work()
    const events = await readEventsAfter(store, newest)
    return events.map(({ event, type }) =>
      event.startsWith('file') ? event : `${event} ${type.split('.')[1]}`,
    )
  }

  const image = async (name: string) => ({
    name,
    content: new Uint8Array(await plain(30, 20).png().toBuffer()),
  })

  it('requests, batches and actions', async () => {
    const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
      library.send(method, path, 'full', body)
    const { body } = await send('POST', '/api/articles?status=draft', { data: { title: 'One' } })
    const path = `/api/articles/${body.data.documentId}`
    assert.deepEqual(await eventsOf(() => send('PUT', path, { data: { title: 'Two' } })), [
      'document.update article',
      'document.publish article',
    ])
    assert.deepEqual(await eventsOf(() => send('POST', `${path}/actions/unpublish`)), [
      'document.unpublish article',
    ])
    const operations = [
      { method: 'POST', path: '/api/articles', body: { data: { title: 'Three' } } },
      { method: 'DELETE', path },
    ]
    assert.deepEqual(await eventsOf(() => send('POST', '/api/batch', { operations })), [
      'document.create article',
      'document.publish article',
      'document.delete article',
    ])
    const failing = [...operations.slice(0, 1), { method: 'PUT', path, body: { data: {} } }]
    assert.deepEqual(await eventsOf(() => send('POST', '/api/batch', { operations: failing })), [])
  })

  it('files: uploading, attaching, replacing, describing and deleting', async () => {
    const { body } = await library.send('POST', '/api/articles', 'full', { data: { title: 'With files' } })
    const target = { ref: 'api::article.article', refId: body.data.documentId, field: 'gallery' }
    let id = 0
    const attached = await eventsOf(async () => {
      const uploaded = await library.upload([await image('a.png')], target)
      id = uploaded.body[0].id
    })
    assert.deepEqual(attached, ['file.upload', 'document.update article', 'document.publish article'])
    const describing = () =>
      library.upload([], { fileInfo: JSON.stringify({ caption: 'A caption' }) }, 'full', `?id=${id}`)
    assert.deepEqual(await eventsOf(describing), ['file.update'])
    const replacing = async () => library.upload([await image('b.png')], {}, 'full', `?id=${id}`)
    assert.deepEqual(await eventsOf(replacing), ['file.update'])
    const deleting = () => library.send('DELETE', `/api/upload/files/${id}`, 'full')
    assert.deepEqual(await eventsOf(deleting), [
      'file.delete',
      'document.update article',
      'document.publish article',
    ])
  })

  it('users, and the code of a project', async () => {
    const account = { username: 'new', email: 'new@example.test', password: 'a long password' }
    assert.deepEqual(
      await eventsOf(() => library.send('POST', '/api/auth/local/register', 'public', account)),
      ['document.create user'],
    )
    const { documents, layout } = library.server
    const type = layout().model.types.get('api::article.article')
    assert.ok(type)
    const request = { type, status: 'draft', locale: null, scope: systemScope } as const
    assert.deepEqual(
      await eventsOf(() => documents.create(request, { title: 'By code' }, async () => null)),
      ['document.create article'],
    )
  })

  it('commands: sweeping unused files, and importing', async () => {
    await library.upload([await image('unused.png')])
    const options = ['--project', library.project, '--database', library.database]
    const run = async (...args: string[]) => {
      const { code, err } = await octavo([...args, ...options])
      assert.equal(code, 0, err)
    }
    assert.deepEqual(await eventsOf(() => run('media', 'sweep', '--older-than', '0')), ['file.delete'])
    const archive = join(library.project, 'archive.jsonl.gz')
    await run('export', archive)
    const imported = await eventsOf(() => run('import', archive, '--replace', '--yes'))
    const articles = imported.filter((event) => event.endsWith(' article'))
    const count = (name: string) => articles.filter((event) => event === `document.${name} article`).length
    assert.ok(count('delete') > 0)
    assert.equal(count('delete'), count('create'))
    assert.ok(count('publish') > 0 && count('publish') < count('create'))
    assert.ok(imported.lastIndexOf('document.delete article') < imported.indexOf('document.create article'))
  })
})
