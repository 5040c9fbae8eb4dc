import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { jsonAt } from '../support/json-body.ts'
import { type LibraryServer, type Sender, startLibrary } from './library-server.ts'
import { plain } from './test-images.ts'

const bytes = async (width: number, height: number) =>
  new Uint8Array(await plain(width, height).png().toBuffer())

onEachEngine((engine) => {
  let library: LibraryServer
  before(async () => {
    library = await startLibrary(engine)
  })
  after(() => library.close())

  const uploaded = async (name: string, content: string | Uint8Array<ArrayBuffer>, fields = {}) => {
    const { status, body } = await library.upload([{ name, content }], fields)
    assert.equal(status, 201, JSON.stringify(body))
    return body[0]
  }
  const article = async (data: object, query = '') => {
    const { status, body } = await library.send('POST', `/api/articles${query}`, 'full', { data })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data.documentId
  }
  const shown = async (documentId: string, status = 'published') => {
    const path = `/api/articles/${documentId}?status=${status}&populate=*`
    return (await library.send('GET', path)).body.data
  }

  test('an uploaded image has a record with its formats', async () => {
    const file = await uploaded('wide.png', await bytes(600, 400))
    const { id, documentId, hash, url, createdAt, updatedAt, publishedAt, formats, size, ...rest } = file
    assert.deepEqual(rest, {
      name: 'wide.png',
      alternativeText: null,
      caption: null,
      focalPoint: null,
      width: 600,
      height: 400,
      ext: '.png',
      mime: 'image/png',
      previewUrl: null,
      provider: 'local',
      provider_metadata: null,
      isUrlSigned: false,
    })
    assert.equal(url, `/uploads/${hash}.png`)
    assert.match(hash, /^wide_[0-9a-f]{16}$/)
    assert.deepEqual(Object.keys(formats), ['thumbnail', 'small'])
    const { thumbnail } = formats
    assert.deepEqual(
      [thumbnail.name, thumbnail.width, thumbnail.height, thumbnail.ext, thumbnail.mime, thumbnail.path],
      ['thumbnail_wide.png', 234, 156, '.png', 'image/png', null],
    )
    assert.equal(thumbnail.url, `/uploads/thumbnail_${hash}.png`)
    assert.equal(thumbnail.size, Math.round(thumbnail.sizeInBytes / 10) / 100)
    for (const address of [url, thumbnail.url, formats.small.url])
      assert.equal((await library.send('GET', address, 'public')).status, 200)
    assert.deepEqual((await library.send('GET', `/api/upload/files/${id}`)).body, file)
    assert.deepEqual((await library.send('GET', `/api/upload/files/${documentId}`)).body, file)
  })

  test('a file input in which no file was chosen counts as no file', async () => {
    const file = await uploaded('kept.txt', 'kept')
    const send = async (query: string, parts: readonly [name: string, value: string | File][]) => {
      const form = new FormData()
      for (const [name, value] of parts) form.append(name, value)
      const response = await fetch(`${library.base}/api/upload${query}`, {
        method: 'POST',
        headers: library.credential('full'),
        body: form,
      })
      return { status: response.status, at: jsonAt(await response.text()) }
    }
    const info = JSON.stringify({ caption: 'new' })
    const changed = await send(`?id=${file.id}`, [
      ['fileInfo', info],
      ['files', new File([], '')],
    ])
    assert.equal(changed.status, 200)
    assert.deepEqual(
      [changed.at('caption'), changed.at('url'), changed.at('name')],
      ['new', file.url, 'kept.txt'],
    )
    const none = await send('', [['files', new File([], '')]])
    assert.deepEqual([none.status, none.at('error', 'message')], [400, 'The field "files" is required'])
    const one = await send('', [
      ['files', new File([], '')],
      ['files', new File(['a'], 'a.txt')],
      ['files', new File([], 'empty.txt')],
    ])
    assert.deepEqual([one.at(0, 'name'), one.at(1, 'name'), one.at(2)], ['a.txt', 'empty.txt', undefined])
  })

  test('a form with invalid UTF-8 and a compressed form are rejected', async () => {
    const form = (caption: string) =>
      Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="fileInfo"\r\n\r\n{"caption":"${caption}"}\r\n--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n${caption}\r\n--b--\r\n`,
        'latin1',
      )
    const send = async (body: Buffer, headers: Record<string, string> = {}) =>
      fetch(`${library.base}/api/upload`, {
        method: 'POST',
        headers: {
          ...library.credential('full'),
          'content-type': 'multipart/form-data; boundary=b',
          ...headers,
        },
        body: new Uint8Array(body),
      })
    const refused = await send(form('caf\xe9'))
    assert.equal(refused.status, 400)
    assert.match(await refused.text(), /fileInfo.* is not valid UTF-8/)
    assert.equal((await send(form('caf\xc3\xa9'))).status, 201)
    assert.equal((await send(form('cafe'), { 'content-encoding': 'gzip' })).status, 415)
  })

  test('each file of a request has its own fileInfo', async () => {
    const { status, body } = await library.upload(
      [
        { name: 'a.png', content: await bytes(4, 3) },
        { name: 'b.txt', content: 'text' },
      ],
      { fileInfo: [{ caption: 'one' }, { caption: 'two', name: 'second' }] },
    )
    assert.equal(status, 201)
    assert.deepEqual(
      body.map(({ name, caption, mime, width }: Record<string, unknown>) => [name, caption, mime, width]),
      [
        ['a.png', 'one', 'image/png', 4],
        ['second', 'two', 'text/plain', null],
      ],
    )
  })

  test('the fileInfo of a file can be changed without uploading it again', async () => {
    const file = await uploaded('info.txt', 'text')
    const info = { name: 'new / name', alternativeText: 'na', caption: 'nc', focalPoint: { x: 10, y: 20.5 } }
    const changed = await library.upload([], { fileInfo: info }, 'full', `?id=${file.id}`)
    assert.equal(changed.status, 200)
    assert.deepEqual(changed.body, { ...file, ...info, updatedAt: changed.body.updatedAt })
    const cleared = await library.send('POST', `/api/upload?id=${file.documentId}`, 'full', {
      fileInfo: { caption: null, focalPoint: null },
    })
    assert.deepEqual(
      [cleared.body.caption, cleared.body.focalPoint, cleared.body.name],
      [null, null, 'new / name'],
    )
  })

  test('a replaced file keeps its id, texts, attachments and former urls, and gets a new url', async () => {
    const file = await uploaded('old.png', await bytes(600, 400), { fileInfo: { caption: 'kept' } })
    const documentId = await article({ title: 'A', cover: file.id })
    const content = await bytes(300, 30)
    const { status, body } = await library.upload(
      [{ name: 'new.png', content }],
      {},
      'full',
      `?id=${file.id}`,
    )
    assert.equal(status, 200)
    assert.deepEqual([body.id, body.name, body.caption, body.width], [file.id, 'new.png', 'kept', 300])
    assert.deepEqual(Object.keys(body.formats), ['thumbnail'])
    assert.notEqual(body.url, file.url)
    for (const [former, current] of [
      [file.url, body.url],
      [file.formats.small.url, body.url],
      [file.formats.thumbnail.url, body.formats.thumbnail.url],
    ]) {
      const { status, headers } = await library.send('GET', former, 'public')
      assert.deepEqual([status, headers.get('location')], [302, current])
    }
    assert.equal((await library.send('GET', body.url, 'public')).status, 200)
    const changed = body.url.replace(/-[0-9a-f]{8}/, '-00000000')
    assert.equal((await library.send('GET', changed, 'public')).headers.get('location'), body.url)
    assert.equal((await shown(documentId)).cover.url, body.url)
  })

  test('a deleted file is removed from the library, from storage and from every document', async () => {
    const file = await uploaded('deleted.png', await bytes(600, 400))
    const kept = await uploaded('kept.png', await bytes(6, 4))
    const documentId = await article({
      title: 'A',
      cover: file.id,
      gallery: [kept.id, file.id],
      strip: [{ note: 'n', picture: file.id }],
    })
    const { status, body } = await library.send('DELETE', `/api/upload/files/${file.id}`)
    assert.equal(status, 200)
    assert.deepEqual(body, file)
    assert.equal((await library.send('GET', `/api/upload/files/${file.id}`)).status, 404)
    assert.equal((await library.send('DELETE', `/api/upload/files/${file.id}`)).status, 404)
    for (const version of ['published', 'draft']) {
      const path = `/api/articles/${documentId}?status=${version}&populate[0]=cover&populate[1]=gallery&populate[2]=strip.picture`
      const { cover, gallery, strip } = (await library.send('GET', path)).body.data
      assert.deepEqual([cover, gallery.length, gallery[0].id, strip[0].picture], [null, 1, kept.id, null])
    }
    assert.ok(library.stored().every((name) => !name.includes(file.hash)))
  })

  test('an image gets a placeholder if configured', async () => {
    const other = await startLibrary(engine, { upload: { images: { placeholder: true } } })
    const { body } = await other.upload([{ name: 'a.png', content: await bytes(60, 40) }])
    await other.close()
    assert.match(body[0].provider_metadata.placeholder, /^data:image\/webp;base64,/)
  })

  test('the same file in many documents is stored once', async () => {
    const before = library.stored().length
    const file = await uploaded('shared.png', await bytes(8, 6))
    const ids = await Promise.all(['A', 'B', 'C'].map((title) => article({ title, cover: file.id })))
    for (const id of ids) assert.equal((await shown(id)).cover.url, file.url)
    assert.equal(library.stored().length, before + 1)
  })

  test('files can be filtered, sorted, paginated and reduced to fields', async () => {
    const names = ['list-c.txt', 'list-a.txt', 'list-b.txt']
    for (const name of names) await uploaded(name, name)
    const filter = 'filters[name][$startsWith]=list-'
    const list = async (query: string) => {
      const { status, body, headers } = await library.send('GET', `/api/upload/files?${filter}&${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      return {
        names: body.map(({ name }: { name: string }) => name),
        body,
        total: headers.get('x-total-count'),
      }
    }
    assert.deepEqual((await list('sort=name')).names, ['list-a.txt', 'list-b.txt', 'list-c.txt'])
    assert.deepEqual((await list('sort=name&start=1&limit=1')).names, ['list-b.txt'])
    assert.equal((await list('sort=name&start=1&limit=1')).total, '3')
    assert.deepEqual((await list('sort=name:desc&pagination[page]=2&pagination[pageSize]=2')).names, [
      'list-a.txt',
    ])
    const { body } = await list('sort=name&fields=name')
    assert.deepEqual(Object.keys(body[0]).sort(), ['documentId', 'id', 'isUrlSigned', 'name'])
    assert.equal((await library.send('GET', '/api/upload/files?filters[zzz]=1')).status, 400)
    assert.equal((await library.send('GET', '/api/upload/files?limit=abc')).status, 400)
    assert.equal((await library.send('GET', '/api/upload/files?filters[folderPath]=/')).status, 400)
  })

  test('files can be put into folders', async () => {
    const one = await uploaded('f1.txt', '1', { path: 'menus/2024' })
    const two = await uploaded('f2.txt', '2', { fileInfo: { folder: '/menus' } })
    const inside = async (folder: string) => {
      const { body } = await library.send(
        'GET',
        `/api/upload/files?folder=${encodeURIComponent(folder)}&sort=name`,
      )
      return body.map(({ id }: { id: number }) => id)
    }
    assert.deepEqual(await inside('/menus/2024'), [one.id])
    assert.deepEqual(await inside('menus'), [two.id])
    assert.deepEqual(await inside('/nothing'), [])
    await library.upload([], { fileInfo: { folder: '/menus' } }, 'full', `?id=${one.id}`)
    assert.deepEqual(await inside('/menus'), [one.id, two.id])
    const folders = (await library.send('GET', '/api/upload/folders')).body
    assert.deepEqual(
      folders.find(({ path }: { path: string }) => path === '/menus'),
      { path: '/menus', files: 2 },
    )
    assert.equal((await library.upload([{ name: 'x', content: 'x' }], { path: '../../etc' })).status, 400)
    assert.ok(!('folderPath' in one))
  })

  test('the field path moves an existing file, alone or with fileInfo', async () => {
    const { id } = await uploaded('moved.txt', 'x')
    const isIn = async (folder: string) =>
      (await library.send('GET', `/api/upload/files?folder=${folder}&filters[id]=${id}`)).body.length === 1
    const alone = await library.upload([], { path: '/first' }, 'full', `?id=${id}`)
    assert.deepEqual([alone.status, await isIn('/first')], [200, true])
    const fields = { path: '/second', fileInfo: { caption: 'Moved' } }
    const together = await library.upload([], fields, 'full', `?id=${id}`)
    assert.deepEqual([together.body.caption, await isIn('/second')], ['Moved', true])
  })

  test('the list of folders counts only files that the caller may find', async () => {
    const folder = (name: string) => ({ fileInfo: { folder: name } })
    await uploaded('shown.png', await bytes(5, 5), folder('/mixed'))
    await uploaded('hidden.txt', 'text', folder('/mixed'))
    await uploaded('payroll.txt', 'text', folder('/payroll'))
    const folders = async (as?: Sender) => {
      const { status, body } = await library.send('GET', '/api/upload/folders', as)
      assert.equal(status, 200)
      const found: { path: string; files: number }[] = body
      return new Map(found.map(({ path, files }) => [path, files]))
    }
    const all = await folders()
    assert.deepEqual([all.get('/mixed'), all.get('/payroll')], [2, 1])
    const limited = await folders('viewer')
    assert.deepEqual([limited.get('/mixed'), limited.has('/payroll')], [1, false])
  })

  test('an upload can be attached to a document', async () => {
    const first = await uploaded('first.png', await bytes(5, 5))
    const documentId = await article({ title: 'P', gallery: [first.id] }, '?status=draft')
    const { id } = await shown(documentId, 'draft')
    const target = { ref: 'api::article.article', refId: String(id), field: 'gallery' }
    const second = await uploaded('second.png', await bytes(5, 5), target)
    const third = await uploaded('third.txt', 'x', { ...target, refId: documentId })
    const after = await shown(documentId, 'draft')
    assert.deepEqual(
      after.gallery.map((file: { id: number }) => file.id),
      [first.id, second.id, third.id],
    )
    assert.ok(after.updatedAt > after.createdAt)
  })

  test('a single attribute gets the last file, in the draft and the published version', async () => {
    const documentId = await article({ title: 'P' })
    const target = { ref: 'api::article.article', refId: documentId, field: 'cover' }
    await uploaded('one.png', await bytes(5, 5), target)
    const two = await uploaded('two.png', await bytes(5, 5), target)
    assert.equal((await shown(documentId)).cover.id, two.id)
    assert.equal((await shown(documentId, 'draft')).cover.id, two.id)
    const { id } = await shown(documentId, 'draft')
    const draftOnly = await uploaded('three.png', await bytes(5, 5), { ...target, refId: String(id) })
    assert.equal((await shown(documentId)).cover.id, two.id)
    assert.equal((await shown(documentId, 'draft')).cover.id, draftOnly.id)
  })

  test('a modified draft stays modified when a file is attached to both versions', async () => {
    const isModified = async (documentId: string) => {
      const path = `/api/articles?status=draft&publicationFilter=modified&filters[documentId]=${documentId}`
      return (await library.send('GET', path)).body.data.length === 1
    }
    const edited = await article({ title: 'P' })
    await library.send('PUT', `/api/articles/${edited}?status=draft`, 'full', { data: { title: 'Q' } })
    const untouched = await article({ title: 'R' })
    for (const refId of [edited, untouched]) {
      const { updatedAt } = await shown(refId, 'draft')
      await uploaded('both.txt', 'x', { ref: 'api::article.article', refId, field: 'gallery' })
      assert.ok((await shown(refId, 'draft')).updatedAt > updatedAt)
      assert.equal((await shown(refId)).gallery.length, 1)
    }
    assert.deepEqual([await isModified(edited), await isModified(untouched)], [true, false])
  })

  test('an upload is attached in the requested locale, or in all for an attribute that is not localized', async () => {
    const { body } = await library.send('POST', '/api/posters', 'full', { data: {} })
    const refId = body.data.documentId
    await library.send('PUT', `/api/posters/${refId}?locale=fr`, 'full', { data: {} })
    const attach = (field: string, query: string) =>
      library.upload(
        [{ name: `${field}.txt`, content: 'x' }],
        { ref: 'api::poster.poster', refId, field },
        'full',
        query,
      )
    const files = async (locale: string) => {
      const { body } = await library.send('GET', `/api/posters/${refId}?locale=${locale}&populate=*`)
      return [body.data.print?.id, body.data.frame?.id]
    }
    const [french] = (await attach('print', '?locale=fr')).body
    const [frame] = (await attach('frame', '?locale=fr')).body
    assert.deepEqual(await files('fr'), [french.id, frame.id])
    assert.deepEqual(await files('en'), [undefined, frame.id])
    const [english] = (await attach('print', '')).body
    assert.deepEqual([await files('en'), await files('fr')].flat(), [
      english.id,
      frame.id,
      french.id,
      frame.id,
    ])
    assert.equal((await attach('print', '?locale=xx')).status, 400)
  })

  test('an upload to an unknown document or attribute is rejected and stores nothing', async () => {
    const documentId = await article({ title: 'P' })
    const target = { ref: 'api::article.article', refId: documentId, field: 'cover' }
    const before = library.stored()
    for (const wrong of [
      { ...target, ref: 'api::nothing.nothing' },
      { ...target, ref: 'plugin::users-permissions.user' },
      { ...target, refId: '999999' },
      { ...target, refId: 'abcdefghijklmnopqrstuvwx' },
      { ...target, field: 'title' },
      { ...target, field: 'zzz' },
      { ref: target.ref },
    ]) {
      const { status, body } = await library.upload([{ name: 'a.png', content: await bytes(3, 3) }], wrong)
      assert.deepEqual([status, body.error?.name], [400, 'ValidationError'], JSON.stringify(wrong))
    }
    assert.deepEqual(library.stored(), before)
  })

  test('an attribute accepts only its allowed types', async () => {
    const documentId = await article({ title: 'P' })
    const before = library.stored()
    const target = { ref: 'api::article.article', refId: documentId, field: 'cover' }
    const { status, body } = await library.upload(
      [{ name: 'notes.png', content: 'text', type: 'image/png' }],
      target,
    )
    assert.deepEqual(
      [status, body.error.name, body.error.details.errors[0].path],
      [400, 'ValidationError', ['cover']],
    )
    assert.deepEqual(library.stored(), before)
    const text = await uploaded('notes.txt', 'text')
    const attached = await library.send('PUT', `/api/articles/${documentId}`, 'full', {
      data: { cover: text.id },
    })
    assert.equal(attached.status, 400)
  })

  test('a file cannot be replaced by a type that an attribute it is attached to does not accept', async () => {
    const cover = await uploaded('cover.png', await bytes(5, 5))
    const documentId = await article({ title: 'P', cover: cover.id })
    const inDraft = await uploaded('draft.png', await bytes(5, 5))
    await article({ title: 'D', cover: inDraft.id }, '?status=draft')
    const inEntry = await uploaded('entry.png', await bytes(5, 5))
    await article({ title: 'E', strip: [{ film: inEntry.id }] })
    const before = library.stored()
    const page = [{ name: 'page.html', content: '<!doctype html><p>Hello</p>' }]
    for (const [{ id }, attribute, target] of [
      [cover, 'cover', /cover of api::article\.article/],
      [inDraft, 'cover', /cover of api::article\.article/],
      [inEntry, 'film', /film of block\.strip in api::article\.article/],
    ] as const) {
      const { status, body } = await library.upload(page, {}, 'full', `?id=${id}`)
      assert.deepEqual([status, body.error?.name], [400, 'ValidationError'], attribute)
      assert.deepEqual(body.error.details.errors[0].path, [attribute])
      assert.match(body.error.message, target)
    }
    assert.deepEqual(library.stored(), before)
    assert.equal((await shown(documentId)).cover.mime, 'image/png')
    const free = await uploaded('free.png', await bytes(5, 5))
    await article({ title: 'G', gallery: [free.id] })
    assert.equal((await library.upload(page, {}, 'full', `?id=${free.id}`)).status, 200)
  })

  test('a file lists the published documents that it is attached to', async () => {
    const file = await uploaded('related.png', await bytes(5, 5))
    const documentId = await article({ title: 'Published', strip: [{ picture: file.id }] })
    await article({ title: 'Draft', cover: file.id }, '?status=draft')
    const { body } = await library.send('GET', `/api/upload/files/${file.id}?populate=related`)
    assert.deepEqual(
      body.related.map(({ documentId, title, __type }: Record<string, unknown>) => [
        documentId,
        title,
        __type,
      ]),
      [[documentId, 'Published', 'api::article.article']],
    )
    const hidden = await library.send('GET', `/api/upload/files/${file.id}?populate=related`, 'sender')
    assert.deepEqual(hidden.body.related, [])
    assert.equal((await library.send('GET', `/api/upload/files/${file.id}?populate=folder`)).status, 400)
  })

  test('a missing or malformed part of an upload is a 400 that names it', async () => {
    const file = [{ name: 'a.txt', content: 'a' }]
    const cases: [Parameters<LibraryServer['upload']>, RegExp][] = [
      [[[], { foo: 'bar' }], /"files" is required/],
      [[file, { fileInfo: 'not json' }], /JSON/],
      [[file, { fileInfo: '[1]' }], /object/],
      [[file, { fileInfo: { size: 3 } }], /size/],
      [[file, { fileInfo: { caption: 7 } }], /caption/],
      [[file, { fileInfo: { focalPoint: { x: 200, y: 0 } } }], /focalPoint/],
      [[file, { fileInfo: [{}, {}] }], /more entries/],
      [[file, { fileInfo: [{}, {}], path: '/a' }], /more entries/],
      [[file, { ref: 'api::article.article', refId: 'a\0b', field: 'cover' }], /NUL/],
      [[[...file, ...file], {}, 'full', '?id=1'], /one file/],
      [[[], {}, 'full', '?id=1'], /Either "files" or "fileInfo" is required/],
      [[file, {}, 'full', '?id[a]=1'], /id/],
    ]
    for (const [sent, message] of cases) {
      const { status, body } = await library.upload(...sent)
      assert.deepEqual([status, body.error?.name], [400, 'ValidationError'], JSON.stringify(sent))
      assert.match(body.error.message, message)
    }
    assert.equal((await library.send('POST', '/api/upload', 'full', { files: [] })).status, 400)
    assert.equal((await library.upload(file, {}, 'full', '?id=999999')).status, 404)
    assert.equal((await library.send('GET', '/api/upload/files/999999')).status, 404)
    assert.deepEqual(library.incoming(), [])
  })

  test('other methods are a 405 with the allowed methods', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/api/upload/files/1', 'HEAD, GET, DELETE'],
      ['GET', '/api/upload', 'POST'],
      ['DELETE', '/api/upload/files', 'HEAD, GET'],
      ['DELETE', '/uploads/photo_0123456789abcdef.png', 'HEAD, GET'],
    ] as const) {
      const { status, headers } = await library.send(method, path)
      assert.equal(status, 405)
      assert.deepEqual(headers.get('allow')?.split(', ').sort(), allow.split(', ').sort())
    }
  })

  test('uploading, listing and deleting require a permission of the role or token', async () => {
    const file = await uploaded('mine.txt', 'mine')
    const sent = [{ name: 'a.txt', content: 'a' }]
    for (const caller of ['public', 'reader'] as const) {
      assert.equal((await library.upload(sent, {}, caller)).status, 403)
      assert.equal((await library.send('DELETE', `/api/upload/files/${file.id}`, caller)).status, 403)
    }
    assert.equal((await library.send('GET', '/api/upload/files', 'public')).status, 403)
    assert.equal((await library.send('GET', `/api/upload/files/${file.id}`, 'public')).status, 403)
    assert.equal((await library.send('GET', '/api/upload/folders', 'public')).status, 403)
    assert.equal((await library.send('GET', '/api/upload/files', 'reader')).status, 200)
    assert.equal((await library.upload(sent, {}, 'sender')).status, 201)
    assert.equal((await library.send('DELETE', `/api/upload/files/${file.id}`, 'sender')).status, 403)
  })

  test('a caller who may upload can change their own files only', async () => {
    const { body } = await library.upload([{ name: 'a.txt', content: 'a' }], {}, 'sender')
    const query = `?id=${body[0].id}`
    assert.equal((await library.upload([], { fileInfo: { caption: 'x' } }, 'sender', query)).status, 200)
    assert.equal((await library.upload([{ name: 'b.txt', content: 'b' }], {}, 'sender', query)).status, 200)
    assert.equal((await library.upload([], { fileInfo: { caption: 'y' } }, 'other', query)).status, 403)
    assert.equal((await library.upload([{ name: 'c.txt', content: 'c' }], {}, 'other', query)).status, 403)
    const found = (await library.send('GET', `/api/upload/files/${body[0].id}`)).body
    assert.deepEqual([found.name, found.caption], ['b.txt', 'x'])
    assert.equal((await library.send('GET', found.url, 'public')).body, 'b')
  })

  test('a caller who may upload cannot attach files to documents they may not update', async () => {
    const documentId = await article({ title: 'P' })
    const target = { ref: 'api::article.article', refId: documentId, field: 'cover' }
    const before = library.stored()
    const { status } = await library.upload([{ name: 'a.png', content: await bytes(3, 3) }], target, 'sender')
    assert.equal(status, 403)
    assert.equal((await shown(documentId)).cover, null)
    assert.deepEqual(library.stored(), before)
  })

  test('content-type routes do not accept multipart bodies', async () => {
    const form = new FormData()
    form.append('data', '{"title":"P"}')
    form.append('files.cover', new Blob([await bytes(3, 3)]), 'a.png')
    const headers = library.credential('full')
    const response = await fetch(`${library.base}/api/articles`, { method: 'POST', headers, body: form })
    assert.equal(response.status, 400)
  })
})
