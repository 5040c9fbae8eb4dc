/** `octavo import` of exports with what real ones contain: leftovers, duplicates, unusual names. And of damaged ones. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { hashSync } from 'bcryptjs'
import { withProject } from '../../src/cli/archive/open-project.ts'
import { formatOf, openPackedFiles } from '../../src/cli/strapi/archive/packed-files.ts'
import { partsOf } from '../../src/cli/strapi/archive/parts.ts'
import { importStrapi } from '../../src/cli/strapi/import-strapi.ts'
import { readOverview } from '../../src/cli/strapi/overview.ts'
import { Scratch } from '../../src/cli/strapi/scratch.ts'
import { ArchiveError } from '../../src/documents/transfer/archive-line.ts'
import { UnknownOutcome } from '../../src/store/errors.ts'
import { openStore } from '../../src/store/open.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine, type TestEngine } from '../support/engines.ts'
import { type HttpResponse, sendRequest } from '../support/http-request.ts'
import { serve, type TestServer } from '../support/server.ts'
import {
  componentSchema,
  type ExportParts,
  entity,
  exportFiles,
  NOW,
  pack,
  packExport,
  typeSchema,
} from './packed-export.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'octavo-strapi-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
let made = 0

const TOKEN = 'a-token-for-tests-0123456789abcdef0123456789abcdef'

function emptyProject(): string {
  const folder = path.join(scratch, `project${++made}`)
  mkdirSync(path.join(folder, 'config'), { recursive: true })
  writeFileSync(
    path.join(folder, 'config/tokens.json'),
    JSON.stringify({ full: { type: 'full-access', token: TOKEN } }),
  )
  return folder
}

function archiveOf(bytes: Buffer, extension = 'tar.gz'): string {
  const file = path.join(scratch, `export${++made}.${extension}`)
  writeFileSync(file, bytes)
  return file
}

const ROLE = 'plugin::users-permissions.role'
const USER = 'plugin::users-permissions.user'
const PERMISSION = 'plugin::users-permissions.permission'
const FILE = 'plugin::upload.file'
const link = (left: object, right: object) => ({
  kind: 'relation.basic',
  relation: 'manyToOne',
  left,
  right,
})
const media = (file: number, right: object) => ({
  kind: 'relation.morph',
  relation: 'morphToMany',
  left: { type: FILE, field: 'related', ref: file },
  right,
})
const end = (type: string, ref: number, field?: string, pos?: number) => ({
  type,
  ref,
  ...(field !== undefined && { field }),
  ...(pos !== undefined && { pos }),
})

const [ARTICLE, TAG] = ['api::article.article', 'api::tag.tag']
const PASSWORD = 'open sesame'
const BCRYPT = hashSync(PASSWORD, 4)

const schemas = [
  typeSchema(
    'article',
    {
      title: { type: 'string', required: true },
      slug: { type: 'string', unique: true },
      secret: { type: 'password' },
      cover: { type: 'media', multiple: false },
      gallery: { type: 'media', multiple: true },
      tag: { type: 'relation', relation: 'manyToOne', target: TAG, inversedBy: 'articles' },
      editor: { type: 'relation', relation: 'oneToOne', target: 'admin::user' },
      seo: { type: 'component', component: 'shared.seo' },
      zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
    },
    { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } },
  ),
  typeSchema('tag', {
    name: { type: 'string' },
    articles: { type: 'relation', relation: 'oneToMany', target: ARTICLE, mappedBy: 'tag' },
    marked: { type: 'relation', relation: 'morphToMany' },
  }),
  componentSchema('shared.seo', {
    title: { type: 'string' },
    image: { type: 'media', multiple: false },
    quotes: { type: 'component', component: 'shared.quote', repeatable: true },
  }),
  componentSchema('shared.quote', { text: { type: 'text' } }),
]

const full: ExportParts = {
  schemas,
  entities: [
    entity('plugin::i18n.locale', 1, { name: 'German', code: 'de' }),
    entity('plugin::upload.folder', 1, { name: 'Press', pathId: 1, path: '/1' }),
    entity('plugin::upload.folder', 2, { name: 'Logos / 2026', pathId: 4, path: '/1/4' }),
    entity('plugin::upload.folder', 3, { name: 'Empty', pathId: 5, path: '/1/5' }),
    entity(FILE, 1, {
      documentId: 'file1',
      name: 'a.png',
      hash: 'a_1',
      ext: '.png',
      mime: 'image/png',
      size: 0.01,
      url: 'https://cdn.example.test/a_1.png',
      provider: 'aws-s3',
      folderPath: '/1/4',
      formats: {
        thumbnail: { hash: 'thumbnail_a_1', ext: '.png', url: 'https://cdn.example.test/thumbnail_a_1.png' },
      },
    }),
    entity(FILE, 2, {
      documentId: 'file2',
      name: 'gone.pdf',
      hash: 'gone_2',
      ext: '.pdf',
      mime: 'application/pdf',
      size: 1,
      url: 'https://cdn.example.test/gone_2.pdf',
      provider: 'aws-s3',
    }),
    entity(FILE, 3, {
      documentId: 'file3',
      name: 'README',
      hash: 'Über uns',
      ext: '',
      mime: 'text/plain',
      size: 0.01,
      url: '/uploads/Über uns',
      provider: 'local',
    }),
    entity(ROLE, 1, { documentId: 'role1', name: 'Authenticated', type: 'authenticated' }),
    entity(ROLE, 2, { documentId: 'role2', name: 'Public', type: 'public' }),
    entity(ROLE, 3, { documentId: 'role3', name: 'Admin', type: 'admin' }),
    entity(ROLE, 4, { documentId: 'role4', name: 'Editor of recipes', type: 'editor' }),
    entity(ROLE, 5, { documentId: 'role5', name: 'Author of recipes', type: 'author' }),
    entity(PERMISSION, 1, { action: `${TAG}.find` }),
    entity(PERMISSION, 2, { action: 'api::article.article.exportAll' }),
    entity(PERMISSION, 3, { action: 'plugin::upload.content-api.upload' }),
    entity(PERMISSION, 4, { action: 'plugin::users-permissions.auth.callback' }),
    entity(USER, 1, {
      documentId: 'user1',
      username: 'ada',
      email: 'Ada@Example.test',
      provider: 'local',
      password: BCRYPT,
      confirmed: true,
      blocked: false,
      resetPasswordToken: 'a code that must not be imported',
    }),
    entity(TAG, 1, { documentId: 'tag1', name: 'One' }),
    entity(TAG, 2, { documentId: 'tag2', name: 'Two' }),
    entity(ARTICLE, 11, {
      documentId: 'first',
      publishedAt: null,
      locale: 'de',
      title: 'Erster',
      slug: 'same',
      seo: {
        id: 1,
        title: 'Draft',
        quotes: [
          { id: 7, text: 'b' },
          { id: 3, text: 'a' },
        ],
      },
      zone: [
        { id: 1, __component: 'shared.quote', text: 'q' },
        { id: 2, __component: 'shared.seo', title: 'z' },
        { id: 9, __component: 'shared.removed', title: 'x' },
      ],
      oldField: 'x',
    }),
    entity(ARTICLE, 12, {
      documentId: 'first',
      locale: 'de',
      title: 'Erster',
      slug: 'same',
      seo: { id: 4, title: 'Public' },
    }),
    entity(ARTICLE, 13, {
      documentId: 'second',
      publishedAt: null,
      locale: 'de',
      title: 'Zweiter',
      slug: 'same',
    }),
    entity(ARTICLE, 14, { documentId: 'second', locale: 'de', title: 'Zweiter', slug: 'same' }),
    entity(ARTICLE, 15, { documentId: 'second', locale: 'de', title: 'Doppelt' }),
    entity('admin::user', 1, { email: 'team@example.test' }),
    entity('api::removed.removed', 1, { name: 'x' }),
  ],
  files: { 'a_1.png': '0123456789', 'thumbnail_a_1.png': '01234', 'Über uns': 'hello' },
  links: [
    link(end(PERMISSION, 1, 'role'), end(ROLE, 2)),
    link(end(PERMISSION, 2, 'role'), end(ROLE, 2)),
    link(end(PERMISSION, 3, 'role'), end(ROLE, 3)),
    link(end(PERMISSION, 4, 'role'), end(ROLE, 2)),
    link(end(USER, 1, 'role'), end(ROLE, 3, 'users', 1)),
    link(end(ARTICLE, 11, 'tag'), end(TAG, 1, 'articles', 2)),
    link(end(ARTICLE, 11, 'tag'), end(TAG, 1, 'articles', 2)),
    link(end(ARTICLE, 12, 'tag'), end(TAG, 1, 'articles', 2)),
    link(end(ARTICLE, 12, 'tag'), end(TAG, 2, 'articles', 1)),
    link(end(ARTICLE, 14, 'tag'), end(TAG, 1, 'articles', 1)),
    link(end(ARTICLE, 14, 'tag'), end(TAG, 99)),
    link(end(ARTICLE, 14, 'editor'), end('admin::user', 1)),
    {
      kind: 'relation.morph',
      relation: 'morphToMany',
      left: end(TAG, 2, 'marked'),
      right: end(ARTICLE, 14, 'marks', 1),
    },
    media(1, end(ARTICLE, 12, 'gallery', 2)),
    media(3, end(ARTICLE, 12, 'gallery', 1)),
    media(1, end('shared.seo', 4, 'image', 1)),
    media(1, end('shared.seo', 77, 'image', 1)),
    {
      kind: 'relation.circular',
      relation: 'oneToMany',
      left: end(ARTICLE, 11, 'localizations'),
      right: { type: ARTICLE, ref: 'first' },
    },
  ],
  configuration: [
    { type: 'core-store', value: { id: 1, key: 'plugin_i18n_default_locale', value: 'de' } },
    {
      type: 'core-store',
      value: {
        id: 2,
        key: `plugin_content_manager_configuration_content_types::${ARTICLE}`,
        value: {
          settings: { mainField: 'slug', pageSize: 500, defaultSortBy: 'title', defaultSortOrder: 'DESC' },
          metadatas: {
            title: { edit: { label: 'Headline', description: 'Short', placeholder: '', visible: true } },
            slug: { edit: { label: 'slug', visible: false } },
          },
          layouts: {
            list: ['id', 'title', 'removed'],
            edit: [
              [
                { name: 'slug', size: 6 },
                { name: 'removed', size: 6 },
              ],
              [{ name: 'title', size: 12 }],
            ],
          },
        },
      },
    },
    {
      type: 'webhook',
      value: {
        ...{
          id: 1,
          name: 'build',
          url: 'https://ci.example.test/hook',
          headers: { 'x-key': 'k' },
          enabled: true,
        },
        events: ['entry.create', 'entry.draft-discard', 'media.create', 'releases.publish'],
      },
    },
    {
      type: 'webhook',
      value: { id: 2, name: 'quiet', url: 'https://ci.example.test', headers: {}, events: [], enabled: true },
    },
    {
      type: 'webhook',
      value: { id: 3, name: 'local', url: 'ftp://ci.example.test', events: ['entry.create'], enabled: true },
    },
  ],
}

const imported = async (archive: string, folder: string, engine: TestEngine | null, ...options: string[]) => {
  const url = engine ? await engine.freshUrl() : `sqlite:${path.join(folder, 'data.db')}`
  return { url, ended: await octavo(['import', archive, '--project', folder, '--database', url, ...options]) }
}

onEachEngine((engine) => {
  describe('an export with leftovers', () => {
    let running: TestServer
    let folder: string
    let url: string
    let report: { leftOut: { what: string; why: string; count: number }[]; [key: string]: unknown }
    const get = (url: string, token: string | null = TOKEN): Promise<HttpResponse> =>
      sendRequest(running.server, 'GET', url, token === null ? {} : { authorization: `Bearer ${token}` })
    const json = async (url: string) => JSON.parse((await get(url)).text)

    before(async () => {
      folder = emptyProject()
      const file = path.join(folder, 'report.json')
      const result = await imported(archiveOf(packExport(full)), folder, engine, '--report', file)
      assert.equal(result.ended.code, 0, result.ended.err)
      url = result.url
      report = JSON.parse(readFileSync(file, 'utf8'))
      running = await serve(pathToFileURL(`${folder}/`), url)
    })
    after(() => running?.close())

    const leftOut = (what: string) =>
      report.leftOut.filter((one) => one.what === what).map(({ why, count }) => ({ why, count }))

    test('documents keep their ids, versions and times, and components their order', async () => {
      const { data } = await json(
        '/api/articles/first?status=draft&populate[seo][populate]=*&populate[zone]=true',
      )
      assert.equal(data.id, 11)
      assert.equal(data.createdAt, NOW)
      assert.deepEqual(
        data.seo.quotes.map(({ text }: { text: string }) => text),
        ['b', 'a'],
      )
      assert.deepEqual(
        data.zone.map((one: { __component: string }) => one.__component),
        ['shared.quote', 'shared.seo'],
      )
      const published = await json('/api/articles/first?populate[seo][populate]=image&populate[gallery]=true')
      assert.equal(published.data.id, 12)
      assert.equal(published.data.seo.image.documentId, 'file1')
      assert.deepEqual(
        published.data.gallery.map(({ name }: { name: string }) => name),
        ['README', 'a.png'],
      )
    })

    test('relations keep the order of both sides, and a to-one relation holds one', async () => {
      const { data } = await json('/api/tags/tag1?populate[articles][fields]=title')
      assert.deepEqual(
        data.articles.map(({ title }: { title: string }) => title),
        ['Zweiter', 'Erster'],
      )
      assert.deepEqual(leftOut(`link of ${ARTICLE}.tag`), [
        { why: 'it leads to a row that is missing', count: 1 },
        { why: 'the relation holds one', count: 1 },
      ])
      assert.deepEqual(leftOut('link of shared.seo.image'), [
        { why: 'it starts at a component that belongs to no document', count: 1 },
      ])
    })

    test('what the project cannot hold is listed with the reason', () => {
      assert.deepEqual(leftOut('component shared.removed')[0]?.count, 1)
      assert.deepEqual(leftOut(`attribute oldField of ${ARTICLE}`)[0]?.count, 1)
      assert.deepEqual(leftOut('row of api::removed.removed')[0]?.count, 1)
      assert.deepEqual(leftOut('row of admin::user')[0]?.count, 1)
      assert.equal(leftOut('event of the webhook build')[0]?.count, 1)
      assert.equal(leftOut('webhook quiet')[0]?.why, 'it has no event that exists here')
      assert.match(leftOut('webhook local')[0]?.why ?? '', /url must be an address/)
      assert.deepEqual(leftOut(`row of ${ARTICLE}`), [
        { why: 'another row is the same version of the same document', count: 1 },
      ])
      assert.match(leftOut(`value of slug in ${ARTICLE}`)[0]?.why ?? '', /unique \(first: second\)/)
      assert.deepEqual(leftOut(`permission ${ARTICLE}.exportAll of the role public`)[0]?.count, 1)
    })

    test('webhooks arrive with our names of events, switched off', async () => {
      const { secret } = await running.server.access.tokens.create({ name: 'webhooks', kind: 'admin' })
      const { data } = JSON.parse((await get('/admin/api/webhooks', secret)).text)
      assert.deepEqual(
        data.map(({ name, url, events, headers, enabled }: Record<string, unknown>) => ({
          ...{ name, url, events, headers, enabled },
        })),
        [
          {
            ...{ name: 'build', url: 'https://ci.example.test/hook', headers: { 'x-key': 'k' } },
            ...{ events: ['document.create', 'document.discard', 'file.upload'], enabled: false },
          },
        ],
      )
    })

    test('files get the urls of this server, unless the export does not have their bytes', async () => {
      const files = JSON.parse((await get('/api/upload/files?sort=id')).text)
      assert.deepEqual(
        files.map(({ url }: { url: string }) => url),
        ['/uploads/a_1.png', 'https://cdn.example.test/gone_2.pdf', '/uploads/ber_uns_b7defbf9cff089f6.bin'],
      )
      assert.equal(files[0].formats.thumbnail.url, '/uploads/thumbnail_a_1.png')
      assert.equal((await get('/uploads/a_1.png', null)).text, '0123456789')
      assert.equal((await get(files[2].url, null)).text, 'hello')
      const folders = JSON.parse((await get('/api/upload/folders')).text)
      assert.ok(JSON.stringify(folders).includes('/Press/Logos - 2026'))
      const inside = JSON.parse((await get('/api/upload/folders?parent=/Press')).text)
      assert.deepEqual(
        inside.map(({ name, files }: { name: string; files: number }) => [name, files]),
        [
          ['Empty', 0],
          ['Logos - 2026', 1],
        ],
      )
    })

    test('a role called admin, editor or author does not get the admin API', async () => {
      const roles: { name: string; type: string }[] = (await json('/api/users-permissions/roles')).roles
      for (const [name, type] of [
        ['Admin', 'strapi-admin'],
        ['Editor of recipes', 'strapi-editor'],
        ['Author of recipes', 'strapi-author'],
      ])
        assert.equal(roles.find((role) => role.name === name)?.type, type)
      const user = await json('/api/users/1?populate=role')
      assert.equal(user.role.type, 'strapi-admin')
      assert.equal(user.email, 'ada@example.test')
    })

    test('users sign in with their password, whose hash is renewed, and sessions stay valid', async () => {
      const signIn = (password: string) =>
        sendRequest(
          running.server,
          'POST',
          '/api/auth/local',
          { 'content-type': 'application/json' },
          JSON.stringify({ identifier: 'ada', password }),
        )
      assert.equal((await signIn('open sesam')).status, 400)
      const both = await Promise.all([signIn(PASSWORD), signIn(PASSWORD)])
      for (const { status, text } of both) {
        assert.equal(status, 200)
        assert.equal((await get('/api/users/me', JSON.parse(text).jwt)).status, 200)
      }
      assert.equal((await signIn('open sesam')).status, 400)
      assert.equal((await signIn(PASSWORD)).status, 200)
      const store = await openStore(url)
      const users = await store.read({ sql: 'select a_password from octavo_users', parameters: [] })
      await store.close()
      assert.match(String(users[0]?.a_password), /^\$argon2id\$/)
    })

    test('the view configuration of the content manager becomes a view of the admin app', async () => {
      const store = await openStore(url)
      const rows = await store.read({ sql: 'select name, value from octavo_views', parameters: [] })
      await store.close()
      assert.deepEqual(
        rows.map(({ name, value }) => [name, JSON.parse(String(value))]),
        [
          [
            ARTICLE,
            {
              mainField: 'slug',
              columns: ['id', 'title'],
              pageSize: 100,
              defaultSort: 'title:desc',
              fields: [
                { name: 'slug', width: 6, hidden: true },
                { name: 'title', label: 'Headline', help: 'Short', width: 12 },
              ],
            },
          ],
        ],
      )
    })

    test('permissions of roles arrive', async () => {
      assert.equal((await get('/api/tags', null)).status, 200)
      assert.equal((await get('/api/articles', null)).status, 403)
    })

    test('the schema files can be read by Strapi too, without what Strapi adds itself', () => {
      const file = path.join(folder, 'src/api/article/content-types/article/schema.json')
      const { attributes, kind } = JSON.parse(readFileSync(file, 'utf8'))
      assert.equal(kind, 'collectionType')
      assert.deepEqual(Object.keys(attributes), [
        ...['title', 'slug', 'secret', 'cover', 'gallery', 'tag', 'seo', 'zone'],
      ])
    })
  })
})

describe('an archive that cannot be imported', () => {
  const packed = packExport(full)

  /** Why an archive is refused. Nothing is written before it is read completely. */
  const refusal = async (bytes: Buffer, extension?: string): Promise<string> => {
    const file = archiveOf(bytes, extension)
    using staged = new Scratch()
    try {
      const format = await formatOf(file, false)
      assert.ok(format !== 'octavo')
      const files = await openPackedFiles(file, format, async () => '')
      await readOverview(partsOf(files), staged, file, { part() {}, step() {}, end() {} })
    } catch (failure) {
      assert.ok(failure instanceof ArchiveError, String(failure))
      return failure.message
    }
    return 'accepted'
  }

  test('leaves nothing', async () => {
    const folder = emptyProject()
    const { ended } = await imported(archiveOf(packed.subarray(0, packed.length - 400)), folder, null)
    assert.equal(ended.code, 1, ended.out)
    assert.match(ended.err, /incomplete/)
    assert.deepEqual(readdirSync(folder), ['config'])
    assert.deepEqual(readdirSync(path.join(folder, 'config')), ['tokens.json'])
  })

  test('leaves nothing when it is interrupted while it is written', async () => {
    const folder = path.join(scratch, `project${++made}`)
    const url = `sqlite:${path.join(scratch, `${made}.db`)}`
    const file = archiveOf(packed)
    const parts = partsOf(await openPackedFiles(file, 'strapi tar', async () => ''))
    let readings = 0
    const interrupted: typeof parts = async function* (kinds) {
      const isWritten = kinds.includes('entity') && ++readings === 3
      for await (const part of parts(kinds)) {
        yield part
        if (isWritten) process.emit('SIGINT')
      }
    }
    const steps = {
      refuseExistingContent: async () => {},
      wouldReplace: async () => null,
      replacingFiles: withProject,
    }
    const options = { project: folder, database: url }
    await assert.rejects(importStrapi(interrupted, file, options, steps), /Interrupted: nothing was imported/)
    assert.equal(readings, 3)
    const files = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []
    assert.deepEqual(
      files.filter((entry) => entry.isFile()).map(({ name }) => name),
      [],
    )
    const store = await openStore(url)
    assert.deepEqual(await store.read({ sql: 'select id from articles', parameters: [] }), [])
    await store.close()
  })

  test('keeps its schema files and media files if its content may have been written', async () => {
    const folder = path.join(scratch, `project${++made}`)
    const file = archiveOf(packed)
    const parts = partsOf(await openPackedFiles(file, 'strapi tar', async () => ''))
    const replacingFiles: typeof withProject = (project, source, work) =>
      withProject(project, source, (opened) => {
        const write: typeof opened.store.write = async (each) => {
          await opened.store.write(each)
          throw new UnknownOutcome()
        }
        return work({ ...opened, store: { ...opened.store, write } })
      })
    const steps = { refuseExistingContent: async () => {}, wouldReplace: async () => null, replacingFiles }
    const options = { project: folder, database: `sqlite:${path.join(scratch, `${made}.db`)}` }
    await assert.rejects(importStrapi(parts, file, options, steps), UnknownOutcome)
    assert.ok(existsSync(path.join(folder, 'src/api/article/content-types/article/schema.json')))
    const stored = readdirSync(path.join(folder, 'public/uploads'), { withFileTypes: true })
    assert.ok(stored.some((entry) => entry.isFile()))
  })

  test('is refused if it is truncated', async () => {
    const tar = pack(exportFiles(full))
    for (const length of [tar.length - 1024, tar.length - 2048, 700, tar.length - 30_000])
      assert.match(await refusal(tar.subarray(0, length), 'tar'), /incomplete/)
    assert.match(await refusal(packExport({ ...full, version: null })), /has no metadata\.json/)
  })

  test('is refused if it is damaged', async () => {
    const damaged = Buffer.from(packed)
    damaged.fill(0xaa, Math.floor(packed.length / 2), Math.floor(packed.length / 2) + 40)
    assert.match(await refusal(damaged), /damaged|incomplete/)
    const files = exportFiles(full)
    files.set('links/links_00001.jsonl', '{"kind": "relation')
    assert.match(await refusal(gzipSync(pack(files))), /links_00001\.jsonl of the archive is not JSON/)
  })

  test('is refused before a file of endless JSON fills the memory', async () => {
    const files = exportFiles(full)
    files.set('metadata.json', `${files.get('metadata.json')}${' '.repeat(17 * 1024 * 1024)}`)
    assert.match(await refusal(gzipSync(pack(files))), /metadata\.json of the archive is too long/)
  })

  test('is refused if it is something else, or of Strapi 4', async () => {
    const other = gzipSync(pack(new Map([['notes.txt', 'hello']])))
    assert.match(await refusal(other), /is not an export of Strapi/)
    const text = Buffer.from('hello')
    assert.match(await refusal(text, 'zip'), /is not an Octavo archive or an export of Strapi/)
    const foreign = gzipSync(Buffer.alloc(2048, 'x'))
    assert.match(await refusal(foreign), /is damaged, or is not an Octavo archive or an export of Strapi/)
    assert.match(await refusal(packExport({ ...full, version: '4.25.1' })), /Strapi 4\.25\.1.*upgrade/)
  })
})

test('paths with backslashes and long names are read', async () => {
  const name = `${'a'.repeat(120)}_1.png`
  const folder = emptyProject()
  const parts = { schemas, entities: [entity(TAG, 1, { name: 'One' })], files: { [name]: 'x' } }
  const { ended } = await imported(archiveOf(packExport({ ...parts, separator: '\\' })), folder, null)
  assert.equal(ended.code, 0, ended.err)
  assert.match(ended.out, /api::tag\.tag +1 of 1/)
  assert.match(ended.out, /Files +1 of 1/)
  assert.ok(existsSync(path.join(folder, 'public/uploads')))
})
