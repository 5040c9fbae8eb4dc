import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { strapi } from '@strapi/client'
import { loadRecording, PROJECT } from '../reference/recording.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

const { tokens } = loadRecording()

onEachEngine((engine) => {
  describe('the public client of the established server works unmodified', () => {
    let running: TestServer
    let client: ReturnType<typeof strapi>
    before(async () => {
      running = await serve(PROJECT, await engine.freshUrl())
      client = strapi({ baseURL: `${running.base}/api`, auth: tokens.full ?? '' })
    })
    after(() => running.close())

    it('creates, finds, changes and deletes documents of collections', async () => {
      const categories = client.collection('categories')
      const { data: first } = await categories.create({ name: 'Rustic', rank: 1 })
      const { data: second } = await categories.create({ name: 'Refined', parent: first.documentId })
      const { data: changed } = await categories.update(second.documentId, { rank: 2 })
      assert.deepEqual([changed.name, changed.rank], ['Refined', 2])

      const { data, meta } = await categories.find({
        fields: ['name'],
        filters: { $or: [{ name: { $startsWith: 'Ref' } }, { rank: { $in: [1] } }] },
        sort: ['name:asc'],
        populate: { parent: { fields: ['name'] } },
        pagination: { page: 1, pageSize: 1, withCount: true },
      })
      assert.deepEqual(meta.pagination, { page: 1, pageSize: 1, pageCount: 2, total: 2 })
      assert.deepEqual([data[0]?.name, data[0]?.parent?.name], ['Refined', 'Rustic'])

      const { data: one } = await categories.findOne(second.documentId, { populate: 'parent' })
      assert.equal(one.parent.documentId, first.documentId)
      await categories.delete(second.documentId)
      await assert.rejects(categories.findOne(second.documentId), { name: 'HTTPNotFoundError' })
    })

    it('writes and finds drafts and locales', async () => {
      const articles = client.collection('articles')
      const { data: draft } = await articles.create({ title: 'Draft' }, { status: 'draft' })
      assert.equal(draft.publishedAt, null)
      await assert.rejects(articles.findOne(draft.documentId), { name: 'HTTPNotFoundError' })
      await articles.update(draft.documentId, { title: 'Brouillon' }, { locale: 'fr' })
      const { data: french } = await articles.findOne(draft.documentId, { locale: 'fr' })
      assert.deepEqual([french.title, french.locale], ['Brouillon', 'fr'])
    })

    it('writes, finds and deletes single types', async () => {
      const homepage = client.single('homepage')
      await homepage.update({ headline: 'Hello' })
      assert.equal((await homepage.find()).data.headline, 'Hello')
      await homepage.delete()
      await assert.rejects(homepage.find(), { name: 'HTTPNotFoundError' })
    })

    it('uploads, finds, changes and deletes files', async () => {
      const { files } = client
      // No picture: this client waits ten seconds for a response, and a busy machine may need longer to create formats.
      const [file] = await files.upload(new Blob(['Red'], { type: 'text/plain' }), {
        fileInfo: { name: 'red.txt', alternativeText: 'Red' },
      })
      assert.ok(file)
      assert.deepEqual([file.name, file.alternativeText], ['red.txt', 'Red'])
      assert.equal((await files.findOne(file.id)).url, file.url)
      assert.equal((await files.update(file.id, { caption: 'A square' })).caption, 'A square')
      const found = await files.find({ filters: { name: { $eq: 'red.txt' } }, sort: 'name:asc' })
      assert.deepEqual(
        found.map(({ id }) => id),
        [file.id],
      )
      await files.delete(file.id)
      await assert.rejects(files.findOne(file.id), { name: /NotFound/ })
    })

    it('manages users', async () => {
      const roles = await client.fetch('/users-permissions/roles').then((answer) => answer.text())
      const { roles: known }: { roles: { id: number; type: string }[] } = JSON.parse(roles)
      const role = known.find(({ type }) => type === 'authenticated')?.id
      const users = client.collection('users')
      await users.create({ username: 'john', email: 'john@example.com', password: 'SecurePass123!', role })
      const answer = await client.fetch('/users?filters[username]=john').then((found) => found.text())
      const [john]: { id: number; email: string; password?: string }[] = JSON.parse(answer)
      assert.ok(john)
      assert.deepEqual([john.email, 'password' in john], ['john@example.com', false])
      await users.update(String(john.id), { username: 'johnny' })
      await users.delete(String(john.id))
      assert.equal(await client.fetch('/users?filters[username]=johnny').then((one) => one.text()), '[]')
    })

    it('throws errors of the right kind', async () => {
      await assert.rejects(client.collection('categories').create({ nmae: 'x' }), {
        name: 'HTTPBadRequestError',
      })
      const visitor = strapi({ baseURL: `${running.base}/api` })
      await assert.rejects(visitor.collection('accounts').find(), { name: 'HTTPForbiddenError' })
      const stranger = strapi({ baseURL: `${running.base}/api`, auth: 'wrong' })
      await assert.rejects(stranger.collection('categories').find(), { name: 'HTTPAuthorizationError' })
    })
  })
})
