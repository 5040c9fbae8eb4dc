/** `octavo import` of exports in which something occurs several times that can be there only once. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { sendRequest } from '../support/http-request.ts'
import { serve, type TestServer } from '../support/server.ts'
import { componentSchema, type ExportParts, entity, packExport, typeSchema } from './packed-export.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'octavo-repeats-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
let made = 0

const TOKEN = 'a-token-for-tests-0123456789abcdef0123456789abcdef'
const PAGE = 'api::page.page'
const GALLERY = 'api::gallery.gallery'
const FILE = 'plugin::upload.file'
const ROLE = 'plugin::users-permissions.role'
const PERMISSION = 'plugin::users-permissions.permission'

const pages = typeSchema('page', { title: { type: 'string' }, slug: { type: 'string', unique: true } })
const page = (id: number, documentId: string, values: object) => entity(PAGE, id, { documentId, ...values })
const role = (id: number, name: string, type: string | null) =>
  entity(ROLE, id, { documentId: `role${id}`, name, type })

/** The actions of roles, as rows and links. */
function permissions(actions: readonly (readonly [role: number, action: string])[]) {
  return {
    entities: actions.map(([, action], index) =>
      entity(PERMISSION, index + 1, { documentId: `permission${index}`, action }),
    ),
    links: actions.map(([of], index) => ({
      ...{ kind: 'relation.basic', relation: 'manyToOne' },
      left: { type: PERMISSION, ref: index + 1, field: 'role' },
      right: { type: ROLE, ref: of, field: 'permissions' },
    })),
  }
}

onEachEngine((engine) => {
  const running: TestServer[] = []
  after(async () => {
    for (const server of running) await server.close()
  })

  /** Imports an export. Returns what its report says was left out, and how to read from a server with the content. */
  async function imported(parts: ExportParts) {
    const folder = path.join(scratch, `project${++made}`)
    mkdirSync(path.join(folder, 'config'), { recursive: true })
    writeFileSync(
      path.join(folder, 'config/tokens.json'),
      JSON.stringify({ full: { type: 'full-access', token: TOKEN } }),
    )
    const [archive, report] = [path.join(folder, 'config/export.tar.gz'), path.join(folder, 'report.json')]
    writeFileSync(archive, packExport(parts))
    const url = await engine.freshUrl()
    const options = ['--project', folder, '--database', url, '--report', report]
    const { code, err } = await octavo(['import', archive, ...options])
    assert.equal(code, 0, err)
    const server = await serve(pathToFileURL(`${folder}/`), url)
    running.push(server)
    return {
      leftOut: JSON.parse(readFileSync(report, 'utf8')).leftOut,
      read: async (request: string) =>
        JSON.parse(
          (await sendRequest(server.server, 'GET', request, { authorization: `Bearer ${TOKEN}` })).text,
        ),
    }
  }

  const LIST = '/api/pages?sort=id&fields[0]=title&fields[1]=slug'
  const listed = ({ data }: { data: Record<string, unknown>[] }) =>
    data.map(({ documentId, title, slug }) => [documentId, title, slug])

  test('of rows with the same id, the first is imported', async () => {
    const { read, leftOut } = await imported({
      schemas: [pages],
      entities: [
        page(1, 'one', { title: 'One', slug: 'one' }),
        page(2, 'two', { title: 'Two', slug: 'two' }),
        page(1, 'one', { title: 'One again', slug: 'one' }),
        page(2, 'three', { title: 'Three', slug: 'three' }),
      ],
    })
    assert.deepEqual(listed(await read(LIST)), [
      ['one', 'One', 'one'],
      ['two', 'Two', 'two'],
    ])
    assert.deepEqual(leftOut, [
      { what: `row of ${PAGE}`, why: 'an earlier row of the export has the same id', count: 2 },
    ])
  })

  test('rows that are not imported do not take unique values from those that are', async () => {
    const { read, leftOut } = await imported({
      // The type had drafts once: the row of the published version is imported.
      schemas: [pages],
      entities: [
        page(1, 'one', { title: 'Draft', slug: 'one', publishedAt: null }),
        page(2, 'one', { title: 'Published', slug: 'one' }),
        page(3, 'two', { title: 'Draft', slug: 'new', publishedAt: null }),
        page(4, 'two', { title: 'Published', slug: 'old' }),
        page(5, 'three', { title: 'Three', slug: 'new' }),
        page(6, 'four', { title: 'Four', slug: 'old' }),
        page(7, 'five', { title: 'Five', slug: 'old' }),
      ],
    })
    assert.deepEqual(listed(await read(LIST)), [
      ['one', 'Published', 'one'],
      ['two', 'Published', 'old'],
      ['three', 'Three', 'new'],
      ['four', 'Four', null],
      ['five', 'Five', null],
    ])
    assert.deepEqual(leftOut, [
      { what: `row of ${PAGE}`, why: 'another row is the same version of the same document', count: 2 },
      {
        what: `value of slug in ${PAGE}`,
        why: 'another document has the same, and the attribute is unique (first: four)',
        count: 2,
      },
    ])
  })

  test('the second of two equal values of a unique attribute in components is left out', async () => {
    const PART = 'shared.part'
    const part = (id: number, code: string | null) => ({ id, code, label: `label ${id}` })
    const withParts = typeSchema(
      'page',
      {
        ...{ title: { type: 'string' }, slug: { type: 'string' } },
        parts: { type: 'component', component: PART, repeatable: true },
        box: { type: 'component', component: 'shared.box' },
        zone: { type: 'dynamiczone', components: [PART] },
      },
      { options: { draftAndPublish: true } },
    )
    const { read, leftOut } = await imported({
      schemas: [
        withParts,
        componentSchema(PART, {
          code: { type: 'string', unique: true },
          label: { type: 'string' },
        }),
        componentSchema('shared.box', { inner: { type: 'component', component: PART } }),
      ],
      entities: [
        page(1, 'one', { title: 'Draft', parts: [part(1, 'a')], publishedAt: null }),
        page(2, 'one', { title: 'One', parts: [part(2, 'a'), part(3, 'b')] }),
        page(3, 'two', {
          title: 'Two',
          parts: [part(4, 'c'), part(5, 'a')],
          box: { id: 1, inner: part(6, 'b') },
        }),
        page(4, 'three', {
          title: 'Three',
          zone: [{ __component: PART, ...part(7, 'c') }],
          parts: [part(8, null)],
        }),
        // Of a row that is not imported.
        page(5, 'three', { title: 'Again', parts: [part(9, 'd')] }),
        page(6, 'four', { title: 'Four', parts: [part(10, 'd')] }),
        page(7, 'five', { title: 'Five draft', parts: [part(11, 'a')], publishedAt: null }),
      ],
    })
    const POPULATE = 'sort=id&populate[parts]=true&populate[zone]=true&populate[box][populate]=inner'
    type Entry = { code: string | null; label: string }
    type Page = { title: string; parts: Entry[]; box: { inner: Entry } | null; zone: Entry[] }
    const codes = ({ data }: { data: Page[] }) =>
      data.map(({ title, parts, box, zone }) => [
        title,
        ...[...parts, ...(box ? [box.inner] : []), ...zone].map(({ code }) => code),
      ])
    assert.deepEqual(codes(await read(`/api/pages?${POPULATE}`)), [
      ['One', 'a', 'b'],
      ['Two', 'c', null, null],
      ['Three', null, null],
      ['Four', 'd'],
    ])
    assert.deepEqual(codes(await read(`/api/pages?status=draft&${POPULATE}`)), [
      ['Draft', 'a'],
      ['Five draft', 'a'],
    ])
    const { data } = await read('/api/pages?filters[title]=Two&populate=parts')
    assert.deepEqual(
      data[0].parts.map(({ label }: Entry) => label),
      ['label 4', 'label 5'],
    )
    assert.deepEqual(
      leftOut.filter(({ what }: { what: string }) => what.startsWith('value')),
      [
        {
          what: `value of code in ${PART}`,
          why: 'another entry has the same, and the attribute is unique (first: two)',
          count: 3,
        },
      ],
    )
  })

  test('files and relations with equal positions keep the order of the export', async () => {
    const names = ['m', 'z', 'a', 'k', 'b']
    const file = (id: number, name: string) =>
      entity(FILE, id, {
        ...{ documentId: `file${name}`, name, hash: name, ext: '.png', mime: 'image/png' },
        ...{ size: 1, url: `https://cdn.example.test/${name}.png`, provider: 'aws-s3' },
      })
    const gallery = typeSchema('gallery', {
      images: { type: 'media', multiple: true },
      pages: { type: 'relation', relation: 'manyToMany', target: PAGE, inversedBy: 'galleries' },
    })
    const galleries = { type: 'relation', relation: 'manyToMany', target: GALLERY, mappedBy: 'pages' }
    const { read } = await imported({
      schemas: [gallery, typeSchema('page', { title: { type: 'string' }, galleries })],
      entities: [
        ...names.map((name, index) => file(index + 1, name)),
        ...names.map((name, index) => page(index + 1, `page${name}`, { title: name })),
        ...names.map((name, index) => entity(GALLERY, index + 1, { documentId: `gallery${name}` })),
      ],
      links: [
        ...names.map((_, index) => ({
          ...{ kind: 'relation.morph', relation: 'morphToMany' },
          left: { type: FILE, ref: index + 1, field: 'related' },
          right: { type: GALLERY, ref: 1, field: 'images', pos: 1 },
        })),
        ...names.map((_, index) => ({
          ...{ kind: 'relation.circular', relation: 'manyToMany' },
          left: { type: GALLERY, ref: 1, field: 'pages', pos: 1 },
          right: { type: PAGE, ref: index + 1, field: 'galleries', pos: 1 },
        })),
        ...names.slice(1).map((_, index) => ({
          ...{ kind: 'relation.circular', relation: 'manyToMany' },
          left: { type: GALLERY, ref: index + 2, field: 'pages', pos: 1 },
          right: { type: PAGE, ref: 1, field: 'galleries', pos: 1 },
        })),
      ],
    })
    const { data } = await read('/api/gallerys/gallerym?populate=*')
    assert.deepEqual(
      data.images.map(({ name }: { name: string }) => name),
      names,
    )
    assert.deepEqual(
      data.pages.map(({ title }: { title: string }) => title),
      names,
    )
    const inverse = await read('/api/pages/pagem?populate=*')
    assert.deepEqual(
      inverse.data.galleries.map(({ documentId }: { documentId: string }) => documentId),
      names.map((name) => `gallery${name}`),
    )
  })

  test('roles with the same type, or none, keep permissions of their own', async () => {
    const { entities, links } = permissions([
      [1, `${PAGE}.find`],
      [2, `${PAGE}.update`],
      [3, `${PAGE}.delete`],
      [4, `${PAGE}.findOne`],
    ])
    const roles = [
      role(1, 'Team', 'team'),
      role(2, 'team', 'team'),
      role(3, '编辑', ''),
      role(4, '作者', null),
    ]
    const { read } = await imported({ schemas: [pages], entities: [...roles, ...entities], links })
    const { roles: all } = await read('/api/users-permissions/roles')
    const types = all.map(({ name, type }: { name: string; type: string }) => [name, type])
    assert.deepEqual(types.slice(0, 4), [
      ['Team', 'team'],
      ['team', 'team-2'],
      ['编辑', 'role-3'],
      ['作者', 'role-4'],
    ])
    const granted = await Promise.all([1, 2, 3, 4].map((id) => read(`/api/users-permissions/roles/${id}`)))
    assert.deepEqual(
      granted.map(({ role }) => {
        const { controllers } = role.permissions['api::page']
        return Object.keys(controllers.page).filter((action) => controllers.page[action].enabled)
      }),
      [['find'], ['update'], ['delete'], ['findOne']],
    )
  })
})
