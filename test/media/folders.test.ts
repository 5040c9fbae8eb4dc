/** Folders of the media library, several files at once, where files are used, and lists of many files. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine, type TestEngine } from '../support/engines.ts'
import { type LibraryServer, type Sender, startLibrary } from './library-server.ts'

interface Named {
  readonly id: number
  readonly documentId: string
  readonly name: string
}

onEachEngine((engine) => {
  let library: LibraryServer
  before(async () => {
    library = await startLibrary(engine)
  })
  after(() => library.close())

  const upload = async (name: string, folder = '/', as: Sender = 'full'): Promise<Named> => {
    const { status, body } = await library.upload([{ name, content: name }], { path: folder }, as)
    assert.equal(status, 201, JSON.stringify(body))
    return body[0]
  }
  const folders = async (parent: string, as: Sender = 'full', more = '') => {
    const path = `/api/upload/folders?parent=${encodeURIComponent(parent)}${more}`
    const { status, body, headers } = await library.send('GET', path, as)
    assert.equal(status, 200, JSON.stringify(body))
    const shown = body.map((one: { path: string; files: number; folders: number }) => [
      one.path,
      one.files,
      one.folders,
    ])
    return { shown, total: Number(headers.get('x-total-count')) }
  }
  const change = (method: string, query: string, body?: object, as: Sender = 'full') =>
    library.send(method, `/api/upload/folders${query}`, as, body)
  const namesIn = async (folder: string, query = '') => {
    const { body } = await library.send('GET', `/api/upload/files?folder=${folder}&sort=name${query}`)
    return body.map(({ name }: Named) => name)
  }

  it('folders are created empty and listed page by page, with what they contain', async () => {
    assert.equal((await change('POST', '', { path: '/pages/b' })).status, 201)
    assert.equal((await change('POST', '', { path: 'pages/c/' })).body.path, '/pages/c')
    await upload('1.txt', '/pages/a/deep/er')
    await upload('2.txt', '/pages/a')
    assert.deepEqual(await folders('/pages'), {
      shown: [
        ['/pages/a', 1, 1],
        ['/pages/b', 0, 0],
        ['/pages/c', 0, 0],
      ],
      total: 3,
    })
    assert.deepEqual(await folders('/pages', 'reader', '&start=1&limit=1'), {
      shown: [['/pages/b', 0, 0]],
      total: 3,
    })
    assert.deepEqual(await folders('/pages', 'full', '&start=9'), { shown: [], total: 3 })
    assert.deepEqual((await folders('/none')).shown, [])
  })

  it('a folder is renamed and moved with everything in it', async () => {
    // The path has characters that take two UTF-16 code units.
    await upload('1.txt', '/old 🐚/in/side')
    await upload('2.txt', '/old 🐚')
    await upload('3.txt', '/old 🐚 not')
    const path = `?path=${encodeURIComponent('/old 🐚')}`
    const { status, body } = await change('PUT', path, { path: '/new/home' })
    assert.deepEqual(
      [status, body],
      [200, { path: '/new/home', name: 'home', files: 1, folders: 1 }],
      JSON.stringify(body),
    )
    assert.deepEqual((await folders('/new/home')).shown, [['/new/home/in', 0, 1]])
    assert.deepEqual(await namesIn('/new/home/in/side'), ['1.txt'])
    assert.deepEqual(await namesIn('/new/home'), ['2.txt'])
    assert.deepEqual(await namesIn(encodeURIComponent('/old 🐚 not')), ['3.txt'])
    assert.equal((await change('PUT', path, { path: '/again' })).status, 404)
  })

  it('a folder with contents is deleted only if its files are moved to the one above', async () => {
    await upload('1.txt', '/top/gone/below')
    await upload('2.txt', '/top')
    const refused = await change('DELETE', '?path=/top/gone')
    assert.deepEqual(
      [refused.status, refused.body.error.message],
      [400, 'The folder /top/gone is not empty; with contents=move its 1 files move to /top'],
    )
    assert.equal((await change('DELETE', '?path=/top/gone&contents=move')).status, 200)
    assert.deepEqual(await namesIn('/top'), ['1.txt', '2.txt'])
    assert.deepEqual((await folders('/top')).shown, [])
    assert.equal((await change('POST', '', { path: '/top/empty' })).status, 201)
    assert.equal((await change('DELETE', '?path=/top/empty')).status, 200)
  })

  it('invalid changes of folders are refused with the reason', async () => {
    await change('POST', '', { path: '/taken/a' })
    await change('POST', '', { path: '/taken/b/c/d/e' })
    for (const [method, query, body, message] of [
      ['POST', '', { path: '/taken' }, /exists already/],
      ['POST', '', { path: '/' }, /root folder/],
      ['POST', '', { path: '/.x' }, /Invalid folder/],
      ['POST', '', { path: `/${'ü'.repeat(90)}`.repeat(5) }, /400 characters/],
      ['POST', '', { name: 'x' }, /"path"/],
      ['POST', '', { path: '/x', name: 'x' }, /name/],
      ['PUT', '?path=/taken/a', { path: '/taken/b' }, /exists already/],
      ['PUT', '?path=/taken', { path: '/taken/a/b' }, /into itself/],
      ['PUT', '?path=/taken/b', { path: '/1/2/3/4/5/6/7/8' }, /10 levels/],
      ['PUT', '', { path: '/x' }, /path of a folder/],
      ['DELETE', '?path=/', undefined, /root folder/],
      ['DELETE', '?path=/taken&contents=burn', undefined, /expected move/],
    ] as const) {
      const { status, body: answer } = await change(method, query, body)
      assert.equal(status, 400, `${method} ${query} ${JSON.stringify(answer)}`)
      assert.match(answer.error.message, message)
    }
    assert.equal((await library.send('GET', '/api/upload/folders?parent=/&limit=x')).status, 400)
    assert.deepEqual((await folders('/taken')).shown.length, 2)
  })

  it('folders of others and folders with files require permission to update all files', async () => {
    assert.equal((await change('POST', '', { path: '/mine' }, 'reader')).status, 403)
    assert.equal((await change('POST', '', { path: '/mine' }, 'public')).status, 403)
    assert.equal((await change('POST', '', { path: '/mine' }, 'sender')).status, 201)
    assert.equal((await change('PUT', '?path=/mine', { path: '/ours' }, 'other')).status, 403)
    assert.equal((await change('PUT', '?path=/mine', { path: '/ours' }, 'sender')).status, 200)
    await upload('1.txt', '/ours', 'other')
    assert.equal((await change('DELETE', '?path=/ours&contents=move', undefined, 'sender')).status, 403)
    assert.equal((await change('DELETE', '?path=/ours&contents=move', undefined, 'full')).status, 200)
  })

  it('callers who may find some files see the folders of those only', async () => {
    await upload('text.txt', '/seen/secret-plans')
    const png = Uint8Array.from(
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    )
    await library.upload([{ name: 'dot.png', content: png }], { path: '/seen/images/dots' })
    assert.deepEqual((await folders('/seen', 'viewer')).shown, [['/seen/images', 0, 1]])
    assert.deepEqual((await folders('/seen/images', 'viewer')).shown, [['/seen/images/dots', 1, 0]])
    assert.deepEqual((await folders('/seen')).shown.length, 2)
  })

  it('several files are moved and deleted together, all or none', async () => {
    const [one, two] = [await upload('m1.txt', '/from'), await upload('m2.txt', '/from')]
    const send = (path: string, body: object, as: Sender = 'full') =>
      library.send('POST', `/api/upload/files/${path}`, as, body)
    assert.equal((await send('move', { files: [one.id, 999_999], folder: '/to' })).status, 404)
    assert.deepEqual(await namesIn('/from'), ['m1.txt', 'm2.txt'])
    assert.equal((await send('move', { files: [one.id], folder: '/to' }, 'sender')).status, 403)
    const moved = await send('move', { files: [one.id, two.documentId], folder: 'to' })
    assert.deepEqual(
      moved.body.map(({ name }: Named) => name),
      ['m1.txt', 'm2.txt'],
    )
    assert.deepEqual(await namesIn('/to'), ['m1.txt', 'm2.txt'])
    assert.equal((await send('delete', { files: [one.id, 999_999] })).status, 404)
    assert.equal((await send('delete', { files: [one.id] }, 'sender')).status, 403)
    for (const body of [
      {},
      { files: [] },
      { files: [{}] },
      { files: Array(101).fill(1) },
      { files: [1], x: 1 },
    ])
      assert.equal((await send('delete', body)).status, 400, JSON.stringify(body))
    assert.equal((await send('move', { files: [one.id] })).status, 400)
    assert.equal((await send('delete', { files: [one.id, two.id] })).status, 200)
    assert.deepEqual(await namesIn('/to'), [])
  })

  it('people who move and delete the same files at the same time, in any order, do not hold each other up', async () => {
    const ids: string[] = []
    for (let number = 0; number < 20; number++) {
      const { id, documentId } = await upload(`shared ${number}.txt`)
      ids.push(number % 2 === 0 ? documentId : String(id))
    }
    const turned = (by: number) => [...ids.slice(by), ...ids.slice(0, by)]
    const orders = ids.map((_, by) => (by % 2 === 0 ? turned(by) : turned(by).reverse()))
    const moves = await Promise.all(
      orders.map((files, number) =>
        library.send('POST', '/api/upload/files/move', 'full', { files, folder: `/shared/${number}` }),
      ),
    )
    assert.deepEqual(
      moves.map(({ status }) => status),
      orders.map(() => 200),
    )
    const deletions = await Promise.all(
      orders.map((files) => library.send('POST', '/api/upload/files/delete', 'full', { files })),
    )
    const statuses = deletions.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, ...orders.slice(1).map(() => 404)])
  })

  it('a file lists the documents that use it, drafts and published versions, as far as the caller sees them', async () => {
    const file = await upload('used.txt')
    const create = async (data: object, status = 'draft') => {
      const { body } = await library.send('POST', `/api/articles?status=${status}`, 'full', { data })
      return body.data.documentId
    }
    const draft = await create({ title: 'A draft', gallery: [file.id] })
    const both = await create({ title: 'Both', gallery: [file.id] }, 'published')
    const removed = await create({ title: 'Published with it', gallery: [file.id] }, 'published')
    await library.send('PUT', `/api/articles/${removed}?status=draft`, 'full', { data: { gallery: [] } })
    const usedBy = async (as: Sender) => library.send('GET', `/api/upload/files/${file.id}/used-by`, as)
    const { body } = await usedBy('full')
    const shown = body.data.map((one: { documentId: string; title: string }) => [one.documentId, one.title])
    assert.deepEqual(
      shown.toSorted(),
      [
        [draft, 'A draft'],
        [both, 'Both'],
        [removed, 'Published with it'],
      ].toSorted(),
    )
    assert.deepEqual((await usedBy('sender')).body, { data: [], meta: { total: 0 } })
    assert.equal((await usedBy('public')).status, 403)
    assert.equal((await library.send('GET', '/api/upload/files/none/used-by')).status, 404)
  })

  it('unused files are those that no draft or published version has, for callers who may delete files', async () => {
    const [used, unused] = [await upload('u1.txt', '/unused'), await upload('u2.txt', '/unused')]
    await library.send('POST', '/api/articles?status=draft', 'full', { data: { gallery: [used.id] } })
    assert.deepEqual(await namesIn('/unused', '&unused=true'), ['u2.txt'])
    assert.deepEqual(await namesIn('/unused', '&unused=false'), ['u1.txt'])
    await library.send('POST', '/api/articles?status=draft', 'full', { data: { gallery: [unused.id] } })
    assert.deepEqual(await namesIn('/unused', '&unused=true'), [], 'no stale response')
    assert.equal((await library.send('GET', '/api/upload/files?unused=maybe')).status, 400)
    assert.equal((await library.send('GET', '/api/upload/files?unused=true', 'reader')).status, 403)
  })

  it('pages of files can be requested by cursor', async () => {
    for (const name of ['c1.txt', 'c2.txt', 'c3.txt']) await upload(name, '/cursor')
    const names: string[] = []
    for (let cursor: string | null = 'start'; cursor; ) {
      const query = `folder=/cursor&sort=name:desc&pagination[cursor]=${cursor}&pagination[pageSize]=2`
      const { body } = await library.send('GET', `/api/upload/files/page?${query}`)
      names.push(...body.data.map(({ name }: Named) => name))
      cursor = body.meta.pagination.nextCursor
    }
    assert.deepEqual(names, ['c3.txt', 'c2.txt', 'c1.txt'])
  })

  it('files are listed by their kind', async () => {
    const text = await upload('kinds.txt', '/kinds')
    const list = async (kind: string, as: Sender = 'full') =>
      library.send('GET', `/api/upload/files?folder=/kinds&kind=${kind}`, as)
    assert.deepEqual(
      (await list('file')).body.map(({ id }: Named) => id),
      [text.id],
    )
    assert.deepEqual((await list('image')).body, [])
    const { status, body } = await list('picture')
    assert.equal(status, 400)
    assert.match(body.error.message, /kind.*expected one of image, video, audio, file/)
  })

  it('lists of many files read an index in order, whatever the number of files', async () => {
    await fill(library, engine)
    const { secret } = await library.server.access.tokens.create({ name: 'admin', kind: 'admin' })
    const explain = async (path: string) => {
      const url = `${library.base}/api/upload/${path}${path.includes('?') ? '&' : '?'}explain=true`
      const response = await fetch(url, { headers: { authorization: `Bearer ${secret}` } })
      const { data } = JSON.parse(await response.text())
      return {
        used: data.indexes.used.map(({ name }: { name: string }) => name),
        plan: data.plan,
      }
    }
    const page = 'pagination[cursor]=start&pagination[pageSize]=60'
    const named = (text: string) =>
      ['name', 'alternativeText', 'caption']
        .map((name, at) => `filters[$or][${at}][${name}][$containsi]=${text}`)
        .join('&')
    for (const [query, index] of [
      [`folder=/f7&sort=id:desc&${page}`, 'octavo_files_a_folderPath_index'],
      [`folder=/f7&sort=name&${page}`, 'octavo_files_a_folderPath_a_name_index'],
      [`folder=/f7&sort=size:desc&${page}`, 'octavo_files_a_folderPath_a_size_index'],
      [`sort=name&${page}`, 'octavo_files_a_name_index'],
      [`sort=size:desc&${page}`, 'octavo_files_a_size_index'],
      [`kind=video&sort=id:desc&${page}`, 'octavo_files_kind'],
      [`unused=true&sort=id:desc&${page}`, 'octavo_edges_inverse'],
      [`${named('photo-4711')}&sort=id:desc&pagination[pageSize]=60`, 'octavo_search_octavo_files$'],
    ] as const) {
      const { used, plan } = await explain(`files/page?${query}`)
      assert.ok(used.includes(index), `${query}: ${used.join()} ${JSON.stringify(plan)}`)
    }
    const { used } = await explain('folders?parent=/')
    assert.ok(
      used.some((name: string) => name.startsWith('octavo_files_a_folderPath')),
      used.join(),
    )
  })
})

/** Adds thousands of files in 100 folders, so that the engine prefers an index. */
async function fill({ server }: LibraryServer, { name }: TestEngine): Promise<void> {
  const numbers =
    name === 'sqlite'
      ? 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT i FROM n'
      : 'SELECT i FROM generate_series(1, 10000) AS n (i)'
  await server.store.write(async (transaction) => {
    transaction.run({
      sql: `INSERT INTO octavo_files (document_id, locale, published, created_at, updated_at, published_at, served,
          a_name, a_hash, a_mime, a_size, a_url, a_provider, "a_folderPath")
        SELECT 'd' || i, '', 1, 'now', 'now', 'now', '', 'file ' || i, 'h_' || i, 'text/plain', i, '/uploads/h_' || i, 'local',
          '/f' || (i % 100) FROM (${numbers}) AS m`,
      parameters: [],
    })
    transaction.run({
      sql: `INSERT INTO octavo_folders (path, parent, created_at)
        SELECT '/f' || i, '/', 'now' FROM (${numbers}) AS m WHERE i < 100`,
      parameters: [],
    })
    transaction.run({
      sql: `INSERT INTO octavo_edges (relation, source, target, position, inverse_position)
        SELECT r.id, i, 'd' || i, 0, 0 FROM (${numbers}) AS m, octavo_relations AS r
        WHERE r.key = 'api::article.article||gallery' AND i % 2 = 0`,
      parameters: [],
    })
    transaction.touch('octavo_files')
    transaction.touch('octavo_edges')
  })
  if (name === 'postgres')
    await server.store.write(async (transaction) => {
      transaction.run({ sql: 'ANALYZE octavo_files, octavo_edges, octavo_folders', parameters: [] })
    })
}
